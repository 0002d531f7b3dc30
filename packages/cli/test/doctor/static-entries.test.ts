import { lstat, readlink, rename, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readStaticEntries } from '../../src/doctor/static/read-static-entries.ts'
import { readTomlServers } from '../../src/doctor/static/read-toml-servers.ts'
import { EntryRemover } from '../../src/doctor/static/remove-entry.ts'
import { CODE_USER, Patient } from './patient.ts'

const FRONT = { command: 'switchboard', args: ['mcp'] }
const NPX = { command: 'npx', args: ['-y', 'switchboard@0.1.0', 'mcp', '--profile', 'small'] }
const CLONE = { command: '/usr/bin/node', args: ['/src/packages/cli/bin/switchboard.mjs', 'mcp'] }
const FILES = { command: 'npx', args: ['-y', 'server-files', '/data'] }
const OWN = { gateway: { port: 0 }, mcpServers: { files: FILES } }

describe('a client that starts Switchboard', () => {
  it('once is well', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user('.claude.json'), { mcpServers: { switchboard: FRONT, other: FILES } })
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: { switchboard: CLONE } })
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no duplicates in 2 files of clients'])
  })

  it('twice from one file lists every tool twice', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: { switchboard: FRONT, again: NPX } })
    const { of, code } = await patient.visit()
    expect(of('duplicates')).toEqual([
      'error "again" in <home>/user/.cursor/mcp.json is one more way to Switchboard for Cursor besides "switchboard" in <home>/user/.cursor/mcp.json: every tool is listed twice and costs its tokens twice',
    ])
    expect(code).toBe(1)
  })

  it('from a project besides its own settings is found from below that project; the one for all stays', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user('.claude.json'), { mcpServers: { switchboard: FRONT } })
    await patient.write(patient.work('.mcp.json'), { mcpServers: { sb: CLONE } })
    expect((await patient.visit()).of('duplicates')).toEqual([
      expect.stringMatching(/^error "sb" in <home>\/project\/\.mcp\.json is one more way .+ besides "switchboard" in/),
    ])
  })

  it('under the same name for one project is a shadow, not a double', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user('.claude.json'), { mcpServers: { switchboard: FRONT } })
    await patient.write(patient.work('.mcp.json'), { mcpServers: { switchboard: CLONE } })
    expect((await patient.visit()).of('duplicates')).toEqual([
      expect.stringMatching(/^warn "switchboard" in <home>\/project\/\.mcp\.json stands in front of/),
    ])
  })

  it('for two projects apart is well; for one of them twice is not', async () => {
    const patient = await Patient.create()
    const projects = { '/a': { mcpServers: { one: FRONT } }, '/b': { mcpServers: { one: FRONT, two: FRONT } } }
    await patient.write(patient.user('.claude.json'), { projects })
    expect((await patient.visit()).of('duplicates')).toEqual([
      expect.stringMatching(/^error "two" in <home>\/user\/\.claude\.json \(project \/b\) is one more way/),
    ])
  })

  it('by a program and by its address is twice as well', async () => {
    const patient = await Patient.create({ gateway: { port: 45_678 } })
    const http = { url: 'http://127.0.0.1:45678/mcp' }
    await patient.write(patient.user('.gemini', 'settings.json'), {
      mcpServers: { a: FRONT, b: { httpUrl: http.url } },
    })
    await patient.write(patient.user('.codeium', 'windsurf', 'mcp_config.json'), {
      mcpServers: { a: FRONT, b: { serverUrl: 'http://127.0.0.1:1/mcp' } },
    })
    expect((await patient.visit()).of('duplicates')).toEqual([expect.stringContaining('"b" in <home>/user/.gemini')])
  })

  it('through an entry that is switched off does not start it', async () => {
    const patient = await Patient.create()
    const mcpServers = { a: FRONT, b: { ...FRONT, disabled: true }, c: { ...FRONT, enabled: false } }
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers })
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no duplicates in 1 file of clients'])
  })
})

const EXTENSION = { contributes: { mcpServerDefinitionProviders: [{ id: 'switchboard', label: 'Switchboard' }] } }
const extensionsOf = (name: string): string => join(name === 'Insiders' ? '.vscode-insiders' : '.vscode', 'extensions')

describe('VS Code', () => {
  it.each([
    ['the project', ['project', '.vscode', 'mcp.json'], { servers: { sb: FRONT } }],
    ['the user', ['user', CODE_USER, 'mcp.json'], { servers: { sb: CLONE } }],
    ['its settings', ['user', CODE_USER, 'settings.json'], { 'mcp.servers': { sb: NPX } }],
    ['its settings, nested', ['user', CODE_USER, 'settings.json'], { mcp: { servers: { sb: FRONT } } }],
    ['Insiders', ['user', '.config', 'Code - Insiders', 'User', 'mcp.json'], { servers: { sb: FRONT } }],
  ])(
    'with the extension is not to start Switchboard from a file of %s; without it that is its way',
    async (name, parts, content) => {
      const patient = await Patient.create()
      await patient.write(patient.home.file(...parts), content)
      const alone = await patient.visit(['--fix'])
      expect(alone.of('duplicates')).toEqual(['ok no duplicates in 1 file of clients'])
      await patient.write(patient.user(extensionsOf(name), 'somebody.switchboard-0.1.0', 'package.json'), EXTENSION)
      const { of, code } = await patient.visit()
      expect(of('duplicates')).toEqual([
        expect.stringMatching(/^error "sb" in .+ leads VS Code.* to Switchboard a second/),
      ])
      expect(code).toBe(1)
      const { findings } = await patient.visit(['--fix'])
      expect(findings.filter(({ fixed }) => fixed)).toHaveLength(1)
      expect((await patient.visit()).code).toBe(0)
    },
  )

  it.each([
    ['was uninstalled', EXTENSION, { 'somebody.switchboard-0.1.0': true }],
    ['only has such a name', { contributes: { mcpServerDefinitionProviders: [{ id: 'other' }] } }, {}],
    ['is broken', '{', {}],
  ])('with an extension that %s is as without it', async (_name, manifest, obsolete) => {
    const patient = await Patient.create()
    await patient.write(patient.user(CODE_USER, 'mcp.json'), { servers: { sb: FRONT } })
    const extensions = patient.user('.vscode', 'extensions')
    await patient.write(join(extensions, 'somebody.switchboard-0.1.0', 'package.json'), manifest)
    await patient.write(join(extensions, '.obsolete'), obsolete)
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no duplicates in 1 file of clients'])
  })

  it('without the extension has one way too many with two of them', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user(CODE_USER, 'mcp.json'), { servers: { sb: FRONT, again: CLONE } })
    expect((await patient.visit()).of('duplicates')).toEqual([
      expect.stringMatching(/^error "again" in .+ one more way/),
    ])
  })

  it('Insiders reads the files of projects as well', async () => {
    const patient = await Patient.create({ gateway: { port: 45_678 } })
    const servers = { sb: { type: 'http', url: 'http://127.0.0.1:45678/mcp' } }
    await patient.write(patient.user('.config', 'Code - Insiders', 'User', 'mcp.json'), { servers })
    await patient.write(patient.work('.vscode', 'mcp.json'), { servers: { again: servers.sb } })
    expect((await patient.visit()).of('duplicates')).toEqual([
      expect.stringMatching(/^error "again" in .+ one more way/),
    ])
  })

  it('may have its address there', async () => {
    const patient = await Patient.create({ gateway: { port: 45_678 } })
    const servers = { sb: { type: 'http', url: 'http://127.0.0.1:45678/mcp' } }
    await patient.write(patient.user(CODE_USER, 'mcp.json'), { servers })
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no duplicates in 1 file of clients'])
  })
})

describe('a server that Switchboard runs as well', () => {
  it('is a duplicate where the client uses Switchboard, and the client’s own where it does not', async () => {
    const patient = await Patient.create({
      gateway: { port: 0 },
      mcpServers: { files: FILES, far: { url: 'https://example.invalid/mcp/' }, off: { command: 'x', enabled: false } },
    })
    const servers = { mine: FILES, remote: { url: 'https://example.invalid/mcp' }, x: { command: 'x' } }
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: { sb: FRONT, ...servers } })
    await patient.write(patient.user('.config', 'Claude', 'claude_desktop_config.json'), { mcpServers: servers })
    const { of, code } = await patient.visit()
    expect(of('duplicates')).toEqual([
      expect.stringMatching(/^warn "mine" in .+cursor.+ starts the server that Switchboard runs as "files": Cursor/),
      expect.stringMatching(/^warn "remote" in .+cursor.+ runs as "far"/),
    ])
    expect(code).toBe(0)
  })

  it('with other arguments is another server', async () => {
    const patient = await Patient.create(OWN)
    const mcpServers = { sb: FRONT, mine: { ...FILES, args: [...FILES.args, '/more'] } }
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers })
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no duplicates in 1 file of clients'])
  })
})

describe('--fix', () => {
  const ZED = `// My settings
{
  "theme": "One Dark", // the best
  "context_servers": {
    /* the one that counts */
    "switchboard": { "source": "custom", "command": "switchboard", "args": ["mcp"] },
    // a copy
    "again": {
      "source": "custom",
      "command": "npx",
      "args": ["switchboard", "mcp"],
    },
    "mine": { "command": "uvx", "args": ["x"] }, // keep me
  },
}
`

  it('takes out only that entry, keeps comments and layout, and tells where the text before is', async () => {
    const patient = await Patient.create()
    const file = patient.user('.config', 'zed', 'settings.json')
    await patient.write(file, ZED, 0o640)
    const { findings, code } = await patient.visit(['--fix'])
    expect(code).toBe(0)
    const [fixed] = findings.filter((finding) => finding.fixed)
    expect(fixed?.message).toMatch(
      /^removed context_servers → again from .+ the text before is in .+-backup-\d{8}T\d{6}Z$/,
    )
    const entry = ZED.slice(ZED.indexOf('    "again"'), ZED.indexOf('    "mine"'))
    expect(await patient.read(file)).toBe(ZED.replace(entry, ''))
    const names = await patient.list(patient.user('.config', 'zed'))
    const backup = names.find((name) => name.startsWith('settings.json.switchboard-backup-')) ?? ''
    expect(await patient.read(patient.user('.config', 'zed', backup))).toBe(ZED)
    for (const name of names) expect((await stat(patient.user('.config', 'zed', name))).mode & 0o777).toBe(0o640)
    expect(names).toHaveLength(2)
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no duplicates in 1 file of clients'])
  })

  it('keeps one copy for several entries of a file', async () => {
    const patient = await Patient.create(OWN)
    const file = patient.user('.cursor', 'mcp.json')
    await patient.write(file, { mcpServers: { sb: FRONT, two: NPX, three: CLONE, same: FILES, last: { url: 'x' } } })
    const { findings } = await patient.visit(['--fix'])
    expect(findings.filter(({ fixed }) => fixed)).toHaveLength(3)
    expect(JSON.parse(await patient.read(file))).toEqual({ mcpServers: { sb: FRONT, last: { url: 'x' } } })
    expect(await patient.list(patient.user('.cursor'))).toHaveLength(2)
  })

  it('leaves a link a link', async () => {
    const patient = await Patient.create()
    const file = patient.user('.cursor', 'mcp.json')
    await patient.write(file, { mcpServers: { sb: FRONT, two: NPX } })
    await rename(file, patient.work('dotfiles.json'))
    await symlink(patient.work('dotfiles.json'), file)
    await patient.visit(['--fix'])
    expect((await lstat(file)).isSymbolicLink()).toBe(true)
    expect(await readlink(file)).toBe(patient.work('dotfiles.json'))
    expect(JSON.parse(await patient.read(patient.work('dotfiles.json')))).toEqual({ mcpServers: { sb: FRONT } })
  })

  it.skipIf(process.platform === 'win32')('never follows a link of a repository out of its folder', async () => {
    const patient = await Patient.create()
    const own = patient.user('.claude.json')
    const KEYS = { mcpServers: { a: FRONT, b: NPX, mine: { command: 'x', env: { API_KEY: 'hunter2' } } } }
    await patient.write(own, KEYS)
    await symlink(own, patient.work('.mcp.json'))
    await patient.write(patient.user('private', 'mcp.json'), { servers: { sb: FRONT } })
    await symlink(patient.user('private'), patient.work('.vscode'))
    const { of } = await patient.visit(['--fix'])
    expect(of('duplicates')).toEqual([
      expect.stringMatching(/^ok removed mcpServers → b from <home>\/user\/\.claude\.json/),
      'warn <home>/project/.mcp.json of Claude Code is not understood: it is a link that leads out of its folder',
      expect.stringMatching(/^warn <home>\/project\/\.vscode\/mcp\.json of VS Code.+leads out of its folder/),
    ])
    expect((await patient.list(patient.work())).sort()).toEqual(['.mcp.json', '.vscode', 'deep'])
    expect(await patient.list(patient.user('private'))).toEqual(['mcp.json'])
    const backup = (await patient.list(patient.user())).find((name) => name.includes('backup')) ?? ''
    expect((await stat(patient.user(backup))).mode & 0o777).toBe(0o600)
  })

  it.skipIf(process.platform === 'win32')('is not held up by a link to a device', async () => {
    const patient = await Patient.create()
    await symlink('/dev/zero', patient.work('.mcp.json'))
    await symlink('/dev/zero', patient.user('.claude.json'))
    expect((await patient.visit(['--fix'])).of('duplicates')).toEqual([
      'warn <home>/user/.claude.json of Claude Code is not understood: it is a device, not a plain file',
      'warn <home>/project/.mcp.json of Claude Code is not understood: it is a device, not a plain file',
    ])
  })

  it('touches nothing in a file that is not understood', async () => {
    const patient = await Patient.create()
    const file = patient.user('.claude.json')
    const text = '{ "mcpServers": {\n "a": { "command": "switchboard", "args": ["mcp"] '
    await patient.write(file, text)
    const { of, code } = await patient.visit(['--fix'])
    expect(of('duplicates')).toEqual([
      expect.stringMatching(/^warn <home>\/user\/\.claude\.json of Claude Code is not understood: line 2: /),
    ])
    expect(code).toBe(0)
    expect(await patient.read(file)).toBe(text)
    expect(await patient.list(patient.user())).toEqual(['.claude.json'])
  })

  it('without it nothing is written', async () => {
    const patient = await Patient.create()
    const file = patient.user('.config', 'zed', 'settings.json')
    await patient.write(file, ZED)
    const before = await stat(file)
    await patient.visit()
    expect((await stat(file)).mtimeMs).toBe(before.mtimeMs)
    expect(await patient.list(patient.user('.config', 'zed'))).toEqual(['settings.json'])
  })

  it('leaves a file alone that was changed since it was looked at', async () => {
    const patient = await Patient.create()
    const file = patient.user('.cursor', 'mcp.json')
    await patient.write(file, { mcpServers: { sb: FRONT, two: NPX } })
    const machine = { env: {}, platform: process.platform, home: patient.user() }
    const { entries } = await readStaticEntries(machine, patient.work())
    const two = entries.find(({ name }) => name === 'two')
    if (two === undefined) throw new Error('The entry was not read')
    const changed = { mcpServers: { sb: FRONT, two: FILES } }
    await patient.write(file, changed)
    await expect(new EntryRemover(Date.now()).remove(two)).rejects.toThrow('was changed meanwhile')
    expect(JSON.parse(await patient.read(file))).toEqual(changed)
    expect(await patient.list(patient.user('.cursor'))).toEqual(['mcp.json'])
  })
})

describe('what is no list of servers', () => {
  it.each([
    ['an empty file', ''],
    ['a list', '[]'],
    ['null', '{"mcpServers": null}'],
    ['texts', '{"mcpServers": {"a": "switchboard mcp", "b": 5, "c": {"command": 7, "args": "mcp"}}}'],
    ['a byte order mark', '\uFEFF{"mcpServers": {}}'],
    ['a key of every object', '{"__proto__": {"mcpServers": {"a": {"command": "switchboard", "args": ["mcp"]}}}}'],
  ])('%s is passed over', async (_name, text) => {
    const patient = await Patient.create()
    await patient.write(patient.user('.cursor', 'mcp.json'), text)
    expect((await patient.visit()).of('duplicates')).toEqual(['ok no client has servers of its own'])
  })
})

describe('Codex', () => {
  const TOML = `model = "gpt"
# [mcp_servers.comment]
[mcp_servers.switchboard]
command = "switchboard"
args = ["mcp"] # the front

[mcp_servers."second one"]
command = 'node'
args = [
  "C:\\\\switchboard.mjs",
  "mcp",
]
[mcp_servers."second one".env]
command = "not this"
[mcp_servers.off]
command = "switchboard"
args = ["mcp"]
enabled = false
[other]
command = "x"
`

  it('has its servers read from TOML', async () => {
    expect(await readTomlServers(TOML, 'mcp_servers')).toEqual([
      { path: ['mcp_servers', 'switchboard'], value: { command: 'switchboard', args: ['mcp'] } },
      {
        path: ['mcp_servers', 'second one'],
        value: { command: 'node', args: ['C:\\switchboard.mjs', 'mcp'], env: { command: 'not this' } },
      },
      { path: ['mcp_servers', 'off'], value: { command: 'switchboard', args: ['mcp'], enabled: false } },
    ])
    expect(await readTomlServers('', 'mcp_servers')).toEqual([])
    expect(await readTomlServers('mcp_servers = 1', 'mcp_servers')).toEqual([])
  })

  it('has them read however TOML can say it', async () => {
    const inline = 'mcp_servers.a = { command = "x", args = ["y"] }'
    expect(await readTomlServers(inline, 'mcp_servers')).toEqual([
      { path: ['mcp_servers', 'a'], value: { command: 'x', args: ['y'] } },
    ])
    expect(await readTomlServers('[mcp_servers]\nb.url = """\nhttp://b"""', 'mcp_servers')).toEqual([
      { path: ['mcp_servers', 'b'], value: { url: 'http://b' } },
    ])
  })

  it('whose file is broken is told where', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user('.codex', 'config.toml'), '[mcp_servers.a]\nargs = ["never closed')
    expect(await readTomlServers('[mcp_servers.a]\nargs = ["never closed', 'mcp_servers')).toEqual({
      problem: expect.stringMatching(/^line 2: \w/),
    })
    expect((await patient.visit()).of('duplicates')).toEqual([expect.stringContaining('line 2: ')])
  })

  it('loses the one entry by --fix, and keeps the rest and the text before', async () => {
    const patient = await Patient.create()
    const file = patient.user('.codex', 'config.toml')
    await patient.write(file, TOML)
    expect((await patient.visit()).of('duplicates')).toEqual([
      expect.stringMatching(/^error "second one" in .+ for Codex/),
    ])
    const { of, code } = await patient.visit(['--fix'])
    expect(of('duplicates')).toEqual([expect.stringMatching(/^ok removed mcp_servers → second one from/)])
    expect(code).toBe(0)
    const after = await patient.read(file)
    expect(after).not.toContain('second one')
    expect(await readTomlServers(after, 'mcp_servers')).toMatchObject([{ path: ['mcp_servers', 'switchboard'] }, {}])
    const [, backup = ''] = await patient.list(patient.user('.codex'))
    expect(await patient.read(patient.user('.codex', backup))).toBe(TOML)
  })
})
