import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { type FindClientsOptions, findClients } from '../../src/clients/find-clients.ts'

const RUN = ['/opt/node/bin/node', '/opt/switchboard/main.mjs', 'mcp']

/** A machine on which just these paths exist. */
function find(paths: readonly string[], options: Partial<FindClientsOptions> = {}) {
  const known = new Set(paths)
  return findClients({
    env: {},
    platform: 'linux',
    home: '/home/you',
    run: RUN,
    url: 'http://127.0.0.1:19877/mcp',
    exists: (path) => known.has(path),
    ...options,
  })
}

function idsOf(found: ReturnType<typeof find>): string[] {
  return found.map(({ id }) => id)
}

const ALL = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'vscode-insiders',
  'windsurf',
  'codex',
  'gemini',
  'zed',
]

describe('clients are found by their folders', () => {
  it('on Linux', () => {
    const names = ['.claude.json', '.config/Claude', '.cursor', '.config/Code/User', '.config/Code - Insiders/User']
    const rest = ['.codeium/windsurf', '.codex', '.gemini', '.config/zed']
    expect(idsOf(find([...names, ...rest].map((name) => `/home/you/${name}`)))).toEqual(ALL)
  })

  it('on macOS', () => {
    const support = 'Library/Application Support'
    const names = ['.claude', `${support}/Claude`, '.cursor', `${support}/Code/User`]
    const rest = [`${support}/Code - Insiders/User`, '.codeium/windsurf', '.codex', '.gemini', '.config/zed']
    const paths = [...names, ...rest].map((name) => `/Users/you/${name}`)
    expect(idsOf(find(paths, { platform: 'darwin', home: '/Users/you' }))).toEqual(ALL)
  })

  it('on Windows', () => {
    const home = 'C:\\Users\\ann'
    const roaming = 'D:\\Roaming'
    const paths = [
      `${home}\\.claude.json`,
      `${roaming}\\Claude`,
      `${home}\\.cursor`,
      `${roaming}\\Code\\User`,
      `${roaming}\\Code - Insiders\\User`,
      `${home}\\.codeium\\windsurf`,
      `${home}\\.codex`,
      `${home}\\.gemini`,
      `${roaming}\\Zed`,
    ]
    expect(idsOf(find(paths, { platform: 'win32', home, env: { APPDATA: roaming } }))).toEqual(ALL)
  })

  it('that the environment moved', () => {
    const env = { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/codex', CLAUDE_CONFIG_DIR: '/claude' }
    expect(idsOf(find(['/x/zed', '/codex', '/claude/.claude.json'], { env }))).toEqual(['claude-code', 'codex', 'zed'])
  })

  it('and nobody is made up', () => {
    expect(find([])).toEqual([])
    expect(find(['/home/you/.claude-other', '/usr/bin/claude'])).toEqual([])
  })
})

describe('clients are found by their programs', () => {
  it('on the PATH', () => {
    expect(find(['/usr/bin/codex'], { env: { PATH: '/bin:/usr/bin' } })).toMatchObject([
      { id: 'codex', sign: '/usr/bin/codex' },
    ])
  })

  it('on the Path of Windows, with its endings', () => {
    const env = { Path: 'C:\\Windows;C:\\npm', PATHEXT: '.EXE;.CMD' }
    expect(find(['C:\\npm\\gemini.cmd'], { env, platform: 'win32', home: 'C:\\Users\\ann' })).toMatchObject([
      { id: 'gemini', sign: 'C:\\npm\\gemini.cmd' },
    ])
  })
})

describe('how a client is connected', () => {
  it.each([
    ['claude', `claude mcp add --scope user switchboard -- ${RUN.join(' ')}`],
    ['codex', `codex mcp add switchboard -- ${RUN.join(' ')}`],
    ['gemini', `gemini mcp add --scope user switchboard ${RUN.join(' ')}`],
  ])('%s: by its own command', (program, command) => {
    expect(find([`/bin/${program}`], { env: { PATH: '/bin' } })).toMatchObject([{ how: { command } }])
  })

  it('by its file when its command is not on the PATH', () => {
    const [claude, codex] = find(['/home/you/.claude.json', '/home/you/.codex'])
    expect(claude?.how).toMatchObject({ file: '/home/you/.claude.json' })
    expect(codex?.how).toEqual({
      file: '/home/you/.codex/config.toml',
      snippet: '[mcp_servers.switchboard]\ncommand = "/opt/node/bin/node"\nargs = ["/opt/switchboard/main.mjs","mcp"]',
    })
  })

  it('by a file with an entry that its program understands', () => {
    const [cursor, zed] = find(['/home/you/.cursor', '/home/you/.config/zed']).map(({ how }) =>
      'snippet' in how ? [how.file, JSON.parse(how.snippet)] : [],
    )
    const entry = { command: RUN[0], args: RUN.slice(1) }
    expect(cursor).toEqual(['/home/you/.cursor/mcp.json', { mcpServers: { switchboard: entry } }])
    const custom = { context_servers: { switchboard: { source: 'custom', ...entry } } }
    expect(zed).toEqual(['/home/you/.config/zed/settings.json', custom])
  })

  it('VS Code by the address only, and not at all without one', () => {
    const paths = ['/home/you/.config/Code/User', '/home/you/.config/Code - Insiders/User']
    const url = 'http://127.0.0.1:19877/mcp'
    expect(find(paths).map(({ how }) => how)).toEqual([{ url }, { url }])
    const header = 'Authorization: Bearer sbt_x'
    expect(find(paths, { header }).map(({ how }) => how)).toEqual([
      { url, header },
      { url, header },
    ])
    const exists = (path: string) => paths.includes(path)
    expect(findClients({ exists, env: {}, platform: 'linux', home: '/home/you', run: RUN })).toEqual([])
  })

  it('with quotes where a word needs them', () => {
    const run = ["/opt/o'neill/my node", 'mcp']
    const [found] = find(['/bin/codex'], { env: { PATH: '/bin' }, run })
    expect(found?.how).toEqual({ command: `codex mcp add switchboard -- '/opt/o'\\''neill/my node' mcp` })
    const [windows] = find(['C:\\n\\codex.exe'], {
      env: { PATH: 'C:\\n' },
      platform: 'win32',
      home: 'C:\\Users\\ann',
      run: ['C:\\Program Files\\node.exe', 'mcp'],
    })
    expect(windows?.how).toEqual({ command: 'codex mcp add switchboard -- "C:\\Program Files\\node.exe" mcp' })
  })
})

it('looks at the real file system unless told otherwise', async () => {
  await using home = await createTemporaryDirectory()
  await mkdir(join(home.path, '.cursor'))
  await writeFile(join(home.path, '.claude.json'), '{}')
  const found = findClients({ env: {}, platform: process.platform, home: home.path, run: RUN })
  expect(idsOf(found)).toEqual(['claude-code', 'cursor'])
})
