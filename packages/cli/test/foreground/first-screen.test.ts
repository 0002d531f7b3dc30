import { expect, test } from 'vitest'
import { type FirstScreen, renderFirstScreen } from '../../src/foreground/first-screen.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { CapturedStream } from '../run-main.ts'

const style = createStyle(new CapturedStream(), { env: {}, noColor: true })
const screen: FirstScreen = {
  style,
  http: { url: 'http://127.0.0.1:19877', auth: 'user' },
  home: '~/.switchboard',
  configFile: '~/.switchboard/config.json',
  clients: [
    { name: 'Claude Code', how: { command: 'claude mcp add switchboard -- /opt/node /opt/switchboard.mjs mcp' } },
    { name: 'Zed', how: { file: '~/.config/zed/settings.json', snippet: '{\n  "context_servers": {}\n}' } },
    { name: 'Codex', how: { file: '~/.codex/config.toml', snippet: '[mcp_servers.switchboard]\ncommand = "x"' } },
    { name: 'VS Code', how: { url: 'http://127.0.0.1:19877/mcp' } },
  ],
  front: '/opt/node /opt/switchboard.mjs mcp',
  program: '/opt/node /opt/switchboard.mjs',
  hasServers: true,
}

test('says where it listens, where its files are, and how each client on the machine connects', () => {
  expect(renderFirstScreen(screen).join('\n')).toMatchInlineSnapshot(`
    "Switchboard 0.1.0  ● running; Ctrl-C stops it and everything it started

      address  http://127.0.0.1:19877/mcp
      servers  ~/.switchboard/config.json (applied as you save it)

    Connect your agents
      Claude Code  claude mcp add switchboard -- /opt/node /opt/switchboard.mjs mcp
      Zed          add to ~/.config/zed/settings.json:
                   {"context_servers":{}}
      Codex        add to ~/.codex/config.toml:
                   [mcp_servers.switchboard]
                   command = "x"
      VS Code      the URL http://127.0.0.1:19877/mcp
      others       the address above, or the command /opt/node /opt/switchboard.mjs mcp
    "
  `)
})

test('greets who has no servers yet with the two ways to get one', () => {
  const text = renderFirstScreen({ ...screen, hasServers: false, clients: [] }).join('\n')
  expect(text).toMatchInlineSnapshot(`
    "Switchboard 0.1.0  ● running; Ctrl-C stops it and everything it started

      address  http://127.0.0.1:19877/mcp
      servers  ~/.switchboard/config.json (applied as you save it)

    Add your first server, in another terminal
      /opt/node /opt/switchboard.mjs server add everything -- npx -y @modelcontextprotocol/server-everything
      or put the "mcpServers" that you have into ~/.switchboard/config.json

    Connect your agents
      any agent  the address above, or the command /opt/node /opt/switchboard.mjs mcp
    "
  `)
})

test('says that a daemon which ran before goes on afterwards', () => {
  const [title] = renderFirstScreen({ ...screen, attachedTo: { pid: 4711 } })
  expect(title).toContain('a daemon runs already (pid 4711): this shows it, Ctrl-C leaves it running')
})

test('tells why there is no address, with the cure, and offers none', () => {
  const http = { error: 'The port 19877 on 127.0.0.1 is in use.', hint: 'Choose another one.' }
  const text = renderFirstScreen({ ...screen, http, clients: [] }).join('\n')
  expect(text).toContain('none: The port 19877 on 127.0.0.1 is in use. Choose another one.')
  expect(text).not.toContain('the address above')
})

test('names the home where the configuration is elsewhere', () => {
  expect(renderFirstScreen({ ...screen, configFile: '/elsewhere/other.json' })).toContain('  home     ~/.switchboard')
})

test('never cuts what is there to be copied', () => {
  const long = `${'/very/long/path'.repeat(20)}/switchboard.mjs mcp`
  expect(renderFirstScreen({ ...screen, front: long }).join('\n')).toContain(long)
})

test('where a token is needed, the lines carry it; a door that is open to all is named', () => {
  const url = 'http://127.0.0.1:19877'
  const header = 'Authorization: Bearer sbt_x'
  const clients = [{ name: 'VS Code', how: { url: `${url}/mcp`, header } }]
  const lines = renderFirstScreen({ ...screen, http: { url, auth: 'token' }, header, clients }).join('\n')
  expect(lines).toContain(`  header   ${header}`)
  expect(lines).toContain(`the URL ${url}/mcp\n           with the header ${header}`)
  expect(lines).toContain('the address and the header above, or the command')
  const open = renderFirstScreen({ ...screen, http: { url, auth: 'none' } }).join('\n')
  expect(open).toContain('warning  every user of this machine may call')
})
