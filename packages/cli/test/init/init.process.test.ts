/** `init` as people use it: the bundled command, real servers from npm, a client that starts what was written, and a kill. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  findPackageProgram,
  fixtureCommand,
  hasTerminal,
  PROGRAM,
  runOnTerminal,
  type TemporaryDirectory,
  waitFor,
  watchProgram,
} from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

const POOL = new URL('../../../pool/package.json', import.meta.url)
const server = (name: string): string => findPackageProgram(`@modelcontextprotocol/server-${name}`, POOL)
const run = promisify(execFile)

let user: TemporaryDirectory
let env: Record<string, string>

beforeEach(async () => {
  user = await createTemporaryDirectory('switchboard-init-')
  env = {
    PATH: '/usr/bin:/bin',
    HOME: user.path,
    USERPROFILE: user.path,
    SWITCHBOARD_HOME: user.file('.switchboard'),
    SWITCHBOARD_HTTP_PORT: '0',
    NO_COLOR: '1',
  }
  for (const folder of ['.cursor', '.gemini', '.codex', 'work']) mkdirSync(user.file(folder))
})
afterEach(async () => {
  await run(process.execPath, [PROGRAM, 'down', '--force'], { env, cwd: user.path })
  await expectNoProcessLeft(user.path, 20_000)
  await user.remove()
})

function write(file: string, content: unknown): void {
  writeFileSync(user.file(file), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

async function switchboard(...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env, cwd: user.file('work') })
  return stdout
}

function placeClients(): Map<string, string> {
  const node = process.execPath
  const memory = { command: node, args: [server('memory')], env: { MEMORY_FILE_PATH: user.file('memory.json') } }
  write('.claude.json', {
    mcpServers: { everything: { command: node, args: [server('everything'), 'stdio'] }, memory },
  })
  write('.cursor/mcp.json', {
    mcpServers: { files: { command: node, args: [server('filesystem'), user.file('work')] }, memory },
  })
  write('.gemini/settings.json', { mcpServers: { fixture: fixtureCommand({ marker: user.path }) } })
  write(
    '.codex/config.toml',
    `model = "x"\n\n[mcp_servers.second]\ncommand = ${JSON.stringify(node)}\nargs = [${JSON.stringify(server('everything'))}]\n`,
  )
  const files = ['.claude.json', '.cursor/mcp.json', '.gemini/settings.json', '.codex/config.toml']
  return new Map(files.map((file) => [file, readFileSync(user.file(file), 'utf8')]))
}

function expectAsBefore(before: ReadonlyMap<string, string>): void {
  for (const [file, text] of before) expect(readFileSync(user.file(file), 'utf8'), file).toBe(text)
}

test('five servers of four clients answer in one client through the entry that was written', {
  timeout: 180_000,
}, async () => {
  const before = placeClients()
  writeFileSync(user.file('work', 'hello.txt'), 'hello from a file')
  expect(await switchboard('init', '--yes')).toContain('Start Claude Code, Cursor, Codex, Gemini CLI anew')
  const { mcpServers } = JSON.parse(readFileSync(user.file('.cursor', 'mcp.json'), 'utf8'))
  expect(Object.keys(mcpServers)).toEqual(['switchboard'])

  const client = new Client({ name: 'cursor', version: '1' })
  await client.connect(new StdioClientTransport({ ...mcpServers.switchboard, env, cwd: user.file('work') }))
  const call = async (name: string, args: Record<string, unknown>): Promise<string> =>
    JSON.stringify((await client.callTool({ name, arguments: args })).content)
  await waitFor(
    async () => {
      const names = (await client.listTools()).tools.map(({ name }) => name)
      return ['everything_', 'second_', 'files_', 'fixture_', 'memory_create'].every((start) =>
        names.some((name) => name.startsWith(start)),
      )
    },
    { timeout: 90_000, interval: 200, what: 'all five servers' },
  )
  expect(await call('everything_get-sum', { a: 2, b: 3 })).toContain('The sum of 2 and 3 is 5.')
  expect(await call('second_get-sum', { a: 4, b: 5 })).toContain('The sum of 4 and 5 is 9.')
  expect(await call('files_read_text_file', { path: user.file('work', 'hello.txt') })).toContain('hello from a file')
  expect(await call('fixture_echo', { text: 'hi' })).toContain('hi')
  const entities = [{ name: 'init', entityType: 'command', observations: ['works'] }]
  expect(await call('memory_create_entities', { entities })).toContain('works')
  await client.close()

  expect(await switchboard('init', '--undo')).toContain('restored to the byte')
  expectAsBefore(before)
  expect(await switchboard('server', 'list')).toContain('No servers are configured')
})

describe('killed', () => {
  test.each([
    ['as soon as the journal is there', (home: string) => existsSync(join(home, 'init'))],
    ['as soon as our configuration is there', (home: string) => existsSync(join(home, 'config.json'))],
    [
      'as soon as a client is connected',
      () => readFileSync(user.file('.cursor', 'mcp.json'), 'utf8').includes('"switchboard"'),
    ],
  ])('%s, everything is put back', async (_name, isTime) => {
    const before = placeClients()
    const child = spawn(process.execPath, [PROGRAM, 'init', '--yes'], { env, cwd: user.file('work') })
    const { ended } = watchProgram(child)
    await waitFor(() => isTime(user.file('.switchboard')), { timeout: 30_000, interval: 1, what: 'the moment' })
    child.kill('SIGKILL')
    await ended
    await switchboard('init', '--undo')
    expectAsBefore(before)
  })
})

describe.skipIf(!hasTerminal())('on a real terminal (needs python3 for the terminal)', () => {
  test('up --foreground offers it to a newcomer, who sees what would happen and says yes', async () => {
    placeClients()
    const { code, text } = await runOnTerminal(
      [process.execPath, PROGRAM, 'up', '--foreground'],
      [
        ['See what Switchboard would take over?', 'y\r'],
        ['Take over 5 servers and change 6 files?', 'y\r'],
        ['● ready', '\x03'],
      ],
      { cwd: user.file('work'), env },
    )
    expect({ code, text }).toMatchObject({
      code: 0,
      text: expect.stringContaining('Claude Code, Cursor, Codex, Gemini CLI have 5 servers already'),
    })
    expect(readFileSync(user.file('.gemini', 'settings.json'), 'utf8')).toContain('"switchboard"')
    await switchboard('init', '--undo')
  })
})

test('without a terminal up --foreground says it in a line and waits for nobody', async () => {
  placeClients()
  const child = spawn(process.execPath, [PROGRAM, 'up', '--foreground'], {
    env,
    cwd: user.file('work'),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const program = watchProgram(child)
  await program.waitForText('Claude Code, Cursor, Codex, Gemini CLI have 5 servers: this takes them over')
  await program.waitForText('Connect your agents')
  child.kill('SIGINT')
  expect(await program.ended).toBe(0)
})
