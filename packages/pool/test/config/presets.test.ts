import { describe, expect, it } from 'vitest'
import { installOf } from '../../src/config/server-config.ts'
import { readText } from './read-config.ts'

const WITH_KEY = { BRAVE_API_KEY: 'secret-key' }

describe('the preset dmn', () => {
  it('is off unless asked for', () => {
    expect(readText('{}', WITH_KEY).servers).toEqual([])
  })

  it('holds the six servers, each with the way to install its program', () => {
    const { servers } = readText('{ "presets": ["dmn"], "presetRoot": "/project" }', WITH_KEY)
    const commands = servers.map((server) =>
      server.type === 'stdio' ? [server.name, server.enabled, [server.command, ...server.args].join(' ')] : [],
    )
    expect(commands).toEqual([
      ['shell', true, 'uvx mcp-server-shell'],
      ['filesystem', true, 'npx -y @modelcontextprotocol/server-filesystem /project'],
      ['text-editor', true, 'uvx mcp-text-editor'],
      ['grep', true, 'npx -y mcp-ripgrep'],
      ['memory', true, 'npx -y @modelcontextprotocol/server-memory'],
      ['web', true, 'npx -y @brave/brave-search-mcp-server --transport stdio'],
    ])
    for (const server of servers) expect(installOf(server)).toMatch(/install/)
    expect(servers.map((server) => (server.type === 'stdio' ? server.cwd : ''))).toEqual([
      ...Array(4).fill('/project'),
      undefined,
      undefined,
    ])
    expect(servers.at(-1)).toMatchObject({ env: { BRAVE_API_KEY: 'secret-key' } })
  })

  it.each([{}, { BRAVE_API_KEY: '' }])('lists web as disabled, with the reason, when its key is missing: %j', (env) => {
    const { servers } = readText('{ "presets": ["dmn"], "presetRoot": "/project" }', env)
    expect(servers.map(({ enabled }) => enabled)).toEqual([true, true, true, true, true, false])
    expect(servers.at(-1)?.disabledReason).toBe(
      'BRAVE_API_KEY is not set: get a key from https://brave.com/search/api and set the variable',
    )
  })

  it('lists what works on files as disabled, with the cure, while no folder is named for it', () => {
    const { servers } = readText('{ "presets": ["dmn"] }', WITH_KEY)
    const needy = servers.filter(({ enabled }) => !enabled)
    expect(needy.map(({ name }) => name)).toEqual(['shell', 'filesystem', 'text-editor', 'grep'])
    for (const { disabledReason } of needy) expect(disabledReason).toMatch(/^"presetRoot" is not set: name the folder/)
  })

  it('leaves a server of the same name to the user', () => {
    const text = '{ "presets": ["dmn"], "mcpServers": { "grep": { "command": "my-grep" }, "own": { "command": "x" } } }'
    const { servers } = readText(text, WITH_KEY)
    expect(servers.map(({ name }) => name)).toEqual([
      'grep',
      'own',
      'shell',
      'filesystem',
      'text-editor',
      'memory',
      'web',
    ])
    expect(servers[0]).toMatchObject({ command: 'my-grep' })
  })
})
