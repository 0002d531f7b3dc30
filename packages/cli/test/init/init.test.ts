import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findInList, readList } from '../../src/clients/list/edit-list.ts'
import { applyChange } from '../../src/init/apply-changes.ts'
import { writeJournal } from '../../src/init/journal.ts'
import { planInit } from '../../src/init/plan-init.ts'
import { InitMachine } from './init-machine.ts'
import { SAMPLES } from './samples.ts'

describe('init, then --undo', () => {
  it.each(SAMPLES)('$name', async (sample) => {
    const machine = await InitMachine.create()
    const file = await machine.place(sample)
    const before = await machine.look()
    const config = await readFile(machine.patient.home.configFile, 'utf8')

    const { code, out, err } = await machine.run(['--yes', ...(sample.options ?? [])])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(Object.keys(await machine.servers()).sort()).toEqual(sample.takes)
    const text = await readFile(file, 'utf8')
    if (sample.leftAlone !== undefined) {
      expect(out).toMatch(sample.leftAlone)
      expect((await machine.look())[file]).toEqual(before[file])
    } else {
      const reading = await readList(text, file.endsWith('.toml') ? 'toml' : 'json')
      const { entry } = sample
      const left = Object.keys((findInList(reading.problem ?? reading.value, listPathOf(sample.path)) ?? {}) as object)
      expect(left.sort()).toEqual([...(sample.stays ?? []), ...(entry === undefined ? [] : ['switchboard'])].sort())
      for (const kept of sample.keeps ?? []) expect(text).toContain(kept)
    }
    if (sample.linkTo !== undefined) expect((await lstat(file)).isSymbolicLink()).toBe(true)

    const undo = await machine.run(['--undo'])
    expect({ code: undo.code, err: undo.err }).toEqual({ code: 0, err: '' })
    expect(await machine.look()).toEqual(before)
    expect(await readFile(machine.patient.home.configFile, 'utf8')).toBe(config)
    expect((await machine.run(['--undo'])).out).toContain('There is no init to undo')
  })
})

function listPathOf(path: readonly string[]): string[] {
  const name = path.at(-1) ?? ''
  if (name === 'config.toml') return ['mcp_servers']
  if (path.includes('zed')) return ['context_servers']
  if (path[0]?.includes('Code')) return name === 'mcp.json' ? ['servers'] : ['mcp', 'servers']
  return ['mcpServers']
}

const FILES = { command: 'npx', args: ['-y', 'server-files', '/data'] }

describe('what is taken over', () => {
  it('is what the clients meant, in our words', async () => {
    const machine = await InitMachine.create()
    for (const sample of SAMPLES.slice(0, 2)) await machine.place(sample)
    const gemini = SAMPLES.find(({ name }) => name === 'Gemini CLI')
    const codex = SAMPLES.find(({ name }) => name === 'Codex')
    for (const sample of [gemini, codex]) if (sample !== undefined) await machine.place(sample)
    await machine.run(['--yes'])
    expect(await machine.servers()).toMatchObject({
      search: { type: 'http', headers: { Authorization: `Bearer \${SEARCH_TOKEN:-none}` } },
      literal: { env: { PATTERN: '$${not a variable}', API_KEY: 'sk-ant-0123456789abcdef' } },
      pythonTools: {
        env: { DATABASE_URL: `\${DB_CONNECTION_STRING}`, API_KEY: `\${EXTERNAL_API_KEY}` },
        timeout: 15_000,
        tools: { allow: ['safe_tool'] },
      },
      context: { initTimeout: 20_000, env: { CONTEXT_KEY: 'c7x-000000000000' } },
      remote: { headers: { Authorization: `Bearer \${REMOTE_TOKEN}` } },
      'with-space': { command: 'C:\\tools\\server.exe', args: ['--root', "/srv/it's here"], env: { A: '1' } },
    })
    expect((await lstat(machine.patient.home.configFile)).mode & 0o777).toBe(0o600)
  })

  it('is one server for the same one in two clients, and two for different ones of one name', async () => {
    const machine = await InitMachine.create({ mcpServers: { files: FILES } })
    const { patient } = machine
    await patient.write(patient.user('.cursor', 'mcp.json'), {
      mcpServers: { 'my files': FILES, git: { command: 'git-a' }, both: { command: 'x', env: { A: '1', B: '2' } } },
    })
    await patient.write(patient.user('.gemini', 'settings.json'), {
      mcpServers: { git: { command: 'git-b' }, same: { command: 'x', args: [], env: { B: '2', A: '1' } } },
    })
    const plan = await machine.json(['--dry-run'])
    expect(plan.servers).toMatchObject([
      { name: 'files', new: false, from: [{ client: 'cursor' }] },
      { name: 'git', new: true },
      { name: 'both', from: [{ client: 'cursor' }, { client: 'gemini' }] },
      { name: 'git-gemini', namedApartFrom: 'git', from: [{ client: 'gemini' }] },
    ])
    const { out } = await machine.run(['--yes'])
    expect(out).toContain('called "git" there: another server has that name')
    expect(Object.keys(await machine.servers())).toEqual(['files', 'git', 'both', 'git-gemini'])
  })

  it('tells whose rules for the tools of a server are lost', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: { files: FILES } })
    const ruled = { ...FILES, disabledTools: ['delete_file'] }
    await patient.write(patient.user('.codeium', 'windsurf', 'mcp_config.json'), { mcpServers: { files: ruled } })
    const { servers } = await machine.json(['--dry-run'])
    expect(servers).toMatchObject([{ name: 'files', ruledApart: ['Windsurf'] }])
    expect((await machine.run(['--dry-run'])).out).toContain(
      'Windsurf had other rules for its tools, which are left out: switchboard server edit files',
    )
  })

  it('is what its client starts: a list beside the servers may say which, and may not let ours in', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    const file = patient.user('.gemini', 'settings.json')
    const mcpServers = { one: { command: 'one' }, two: { command: 'two' }, three: { command: 'three' } }
    await patient.write(file, { mcp: { excluded: ['two'] }, excludeMCPServers: ['three'], mcpServers })
    expect((await machine.json(['--dry-run'])).servers).toMatchObject([{ name: 'one' }])
    await patient.write(file, { mcp: { allowed: ['one', 'two'], excluded: ['two'] }, mcpServers })
    const plan = await machine.json(['--dry-run'])
    expect(plan.servers).toMatchObject([{ name: 'one' }])
    expect(plan.clients).toMatchObject([
      { way: 'none', note: expect.stringContaining('its "mcp.allowed" would not let') },
    ])
    await patient.write(file, { mcp: { allowed: ['one', 'switchboard'] }, mcpServers })
    expect((await machine.json(['--dry-run'])).clients).toMatchObject([{ way: 'entry' }])
  })

  it('leaves with its client what only that client can run, and says why', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    await patient.write(patient.user('.cursor', 'mcp.json'), {
      mcpServers: {
        file: { command: 'a', envFile: '.env' },
        remote: { url: 'https://example.com/mcp' },
        relative: { command: 'node', args: ['./server.js'] },
        below: { command: 'node', args: ['server.js'], cwd: 'servers' },
        wrong: { command: 'a', env: { 'A=B': 'x' } },
        mine: { command: 'b' },
        ok: { command: 'c', surprise: true },
      },
    })
    const { left, servers } = (await machine.json(['--dry-run', '--skip', 'mine'])) as {
      left: object[]
      servers: object[]
    }
    expect(left).toMatchObject([
      { name: 'file', reason: 'it reads its variables from a file ("envFile")' },
      { name: 'remote', reason: expect.stringContaining('--remote') },
      { name: 'relative', reason: '"./server.js" depends on the folder of the window' },
      { name: 'below', reason: 'its folder, "servers", depends on that of the window' },
      { name: 'wrong', reason: expect.stringContaining('would not take it') },
      { name: 'mine', reason: 'you left it out' },
    ])
    expect(servers).toMatchObject([{ name: 'ok', dropped: ['surprise'] }])
    expect((await machine.json(['--dry-run', '--remote'])).servers).toMatchObject([
      { name: 'remote' },
      { name: 'mine' },
      { name: 'ok' },
    ])
  })

  it('with a login of its client stays there, or comes in our words with its secret as a variable', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    const oauth = { clientId: 'id', callbackPort: 3118, clientSecret: 'kept-by-the-person' }
    await patient.write(patient.user('.claude.json'), {
      mcpServers: {
        chat: { type: 'http', url: 'https://example.com/mcp', oauth },
        strange: { type: 'http', url: 'https://example.com/2', oauth: { authorizationUrl: 'https://x.example' } },
      },
    })
    expect(await machine.json(['--dry-run'])).toMatchObject({
      left: [
        { name: 'chat', reason: 'its client signs in to it; --remote takes it all the same' },
        { name: 'strange', reason: 'its client signs in to it in a way of its own ("oauth.authorizationUrl")' },
      ],
    })
    const { out } = await machine.run(['--yes', '--remote', '--variables'])
    expect(out).not.toContain('kept-by-the-person')
    expect((await machine.servers()).chat).toMatchObject({
      oauth: { clientId: 'id', redirectPort: 3118, redirectHost: 'localhost', clientSecret: `\${CHAT_CLIENT_SECRET}` },
    })
  })

  it('does not lead a client to Switchboard twice, nor Switchboard to itself', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    const own = { command: 'switchboard', args: ['mcp'] }
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: { board: own, files: FILES } })
    await machine.run(['--yes'])
    expect(JSON.parse(await patient.read(patient.user('.cursor', 'mcp.json')))).toEqual({ mcpServers: { board: own } })
    expect(Object.keys(await machine.servers())).toEqual(['files'])
    expect((await machine.run(['--yes'])).out).toContain('There is nothing to do')
  })

  it('takes secrets along or, on request, the names of variables; no screen shows any', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    await patient.write(patient.user('.cursor', 'mcp.json'), {
      mcpServers: {
        a: {
          command: 'x',
          args: ['--api-key', 'plantedArgument'],
          env: { GITHUB_TOKEN: 'plantedOne', HOST: 'plantedPlain', PIN: 424_242 },
        },
        b: { command: 'y', env: { GITHUB_TOKEN: 'plantedTwo' } },
        c: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer plantedThree' } },
        d: { url: 'https://example.com/mcp?api_key=plantedFour&region=eu' },
      },
    })
    const file = patient.user('.cursor', 'mcp.json')
    const commented = '    // "old": { "env": { "OLD_TOKEN": "plantedComment" } },\n    "b": {'
    await patient.writeBytes(file, (await patient.read(file)).replace('    "b": {', commented))
    const shown = await Promise.all([
      machine.run(['--dry-run']),
      machine.run(['--dry-run', '--json']),
      machine.run(['--dry-run', '--variables']),
    ])
    for (const { out, err } of shown) expect(out + err).not.toMatch(/planted|424242/)
    expect(shown[0]?.out).toContain('// "old": { "env": { "OLD_TOKEN": "[masked]" } },')
    const { out } = await machine.run(['--yes', '--variables'])
    expect(out).toContain(`a: env.GITHUB_TOKEN comes from \${GITHUB_TOKEN}`)
    expect(await machine.servers()).toMatchObject({
      a: { args: ['--api-key', `\${API_KEY}`], env: { GITHUB_TOKEN: `\${GITHUB_TOKEN}`, HOST: 'plantedPlain' } },
      b: { env: { GITHUB_TOKEN: `\${B_GITHUB_TOKEN}` } },
      c: { headers: { Authorization: `Bearer \${C_TOKEN}` } },
      d: { url: `https://example.com/mcp?api_key=\${D_API_KEY}&region=eu` },
    })
  })
})

describe('nothing is written', () => {
  it('by --dry-run, nor where nobody can be asked', async () => {
    const machine = await InitMachine.create()
    await machine.place(SAMPLES[0] ?? expect.fail())
    const before = await machine.look()
    expect((await machine.run(['--dry-run'])).code).toBe(0)
    const { code, err } = await machine.run([])
    expect(code).toBe(2)
    expect(err).toContain('--yes')
    expect(await machine.look()).toEqual(before)
  })

  it('into a file that is not what was shown any more', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    const file = patient.user('.cursor', 'mcp.json')
    await patient.write(file, { mcpServers: { files: FILES } })
    const io = patient.home.io({ env: { HOME: patient.user(), PATH: '' }, isTTY: true, cwd: patient.work('deep') })
    const { main } = await import('../../src/main.ts')
    const ended = main(['init'], io)
    await expect.poll(() => io.stderr.plain).toContain('Take over 1 server')
    await writeFile(file, '{"mcpServers":{"other":{"command":"new"}}}')
    io.stdin.write('y\n')
    expect(await ended).toBe(1)
    expect(io.stdout.plain).toContain('was changed meanwhile')
    expect(await patient.read(file)).toBe('{"mcpServers":{"other":{"command":"new"}}}')
    await machine.run(['--undo'])
    expect(await patient.read(file)).toBe('{"mcpServers":{"other":{"command":"new"}}}')
    expect(await machine.servers()).toEqual({})
  })

  it('through a link of a repository that leads out of it, nor into what is no plain file', async () => {
    const machine = await InitMachine.create()
    const { patient } = machine
    await patient.write(patient.user('.cursor', 'mcp.json'), { mcpServers: {} })
    await patient.write(patient.user('secret.json'), { mcpServers: { stolen: FILES } })
    await symlink(patient.user('secret.json'), patient.work('.mcp.json'))
    await patient.write(patient.user('.claude', 'x'), '')
    const before = await patient.read(patient.user('secret.json'))
    const { code, out } = await machine.run(['--yes', '--projects'])
    expect(code).toBe(0)
    expect(out).toContain('.mcp.json is not understood: it is a link that leads out of its folder')
    expect(await patient.read(patient.user('secret.json'))).toBe(before)
    expect(await machine.servers()).toEqual({})
  })
})

it.skipIf(process.platform === 'win32').each([
  ['a pipe', async (file: string) => execFileSync('mkfifo', [file]), 'is a pipe, not a plain file'],
  ['a folder', (file: string) => mkdir(file), 'is a folder, not a plain file'],
  ['larger than any list', (file: string) => growFile(file), 'bytes, and at most'],
  ['a link in circles', (file: string) => symlink(file, file), 'is a link that leads in circles'],
])('a file that is %s is named and left alone, and others are not kept waiting', async (_name, make, reason) => {
  const machine = await InitMachine.create()
  const { patient } = machine
  await patient.write(patient.user('.gemini', 'settings.json'), { mcpServers: { files: FILES } })
  await mkdir(patient.user('.cursor'))
  await make(patient.user('.cursor', 'mcp.json'))
  const { code, out } = await machine.run(['--yes'])
  expect(code).toBe(0)
  expect(out).toContain(reason)
  expect(Object.keys(await machine.servers())).toEqual(['files'])
  expect((await machine.run(['--undo'])).code).toBe(0)
})

/** Takes no room on the disk. */
async function growFile(file: string): Promise<void> {
  await writeFile(file, '')
  await truncate(file, 65 * 1024 * 1024)
}

describe('--undo after a client has changed its file', () => {
  async function start(): Promise<{ machine: InitMachine; file: string; before: string }> {
    const machine = await InitMachine.create()
    const file = machine.patient.user('.cursor', 'mcp.json')
    await machine.patient.write(file, { mcpServers: { files: FILES, git: { command: 'git-server' } }, other: 1 })
    const before = await machine.patient.read(file)
    expect((await machine.run(['--yes'])).code).toBe(0)
    return { machine, file, before }
  }

  it('puts the entries back and keeps what the client wrote', async () => {
    const { machine, file } = await start()
    const now = JSON.parse(await machine.patient.read(file))
    now.other = 2
    now.mcpServers.switchboard.env = {}
    now.mcpServers.fresh = { command: 'fresh' }
    await machine.patient.write(file, now)
    const { code, out } = await machine.run(['--undo'])
    expect(code).toBe(0)
    expect(out).toContain('only the entries were put back')
    const mcpServers = { fresh: { command: 'fresh' }, files: FILES, git: { command: 'git-server' } }
    expect(JSON.parse(await machine.patient.read(file))).toEqual({ mcpServers, other: 2 })
    expect(await machine.servers()).toEqual({})
  })

  it('refuses where it cannot read the file, keeps the servers, and goes on once it can', async () => {
    const { machine, file, before } = await start()
    const after = await machine.patient.read(file)
    await machine.patient.write(file, `${after}}`)
    const { code, out } = await machine.run(['--undo'])
    expect(code).toBe(1)
    expect(out).toMatch(/mcp\.json {2}left alone\n.+cannot be read: line \d+.+\n.+what it held before is in /)
    expect(await machine.patient.read(file)).toBe(`${after}}`)
    expect(Object.keys(await machine.servers())).toEqual(['files', 'git'])
    await machine.patient.write(file, after)
    expect((await machine.run(['--undo'])).code).toBe(0)
    expect(await machine.patient.read(file)).toBe(before)
    expect(await machine.servers()).toEqual({})
  })

  it('keeps a server that a person has changed in our configuration since', async () => {
    const { machine, file, before } = await start()
    const config = JSON.parse(await machine.patient.read(machine.patient.home.configFile))
    config.mcpServers.git.timeout = '5m'
    await machine.patient.home.configure(config)
    const { out } = await machine.run(['--undo'])
    expect(out).toContain('"git" was changed since, and stays')
    expect(await machine.patient.read(file)).toBe(before)
    expect(Object.keys(await machine.servers())).toEqual(['git'])
  })

  it('makes a file again that is gone, but no client', async () => {
    const { machine, file, before } = await start()
    await rm(file)
    await machine.run(['--undo'])
    expect(await machine.patient.read(file)).toBe(before)
    expect((await machine.run(['--yes'])).code).toBe(0)
    await rm(machine.patient.user('.cursor'), { recursive: true })
    expect((await machine.run(['--undo'])).out).toContain('its folder is gone')
    expect(await readdir(machine.patient.user())).toEqual([])
  })

  it('undoes several runs, the last one first', async () => {
    const { machine, file, before } = await start()
    const claude = machine.patient.user('.claude.json')
    await machine.patient.write(claude, { mcpServers: { more: { command: 'more' } } })
    const claudeBefore = await machine.patient.read(claude)
    expect((await machine.run(['--yes'])).code).toBe(0)
    expect(Object.keys(await machine.servers())).toEqual(['files', 'git', 'more'])
    expect((await machine.run(['--undo'])).code).toBe(0)
    expect(await machine.patient.read(file)).toBe(before)
    expect(await machine.patient.read(claude)).toBe(claudeBefore)
  })
})

describe('a run that was killed', () => {
  it.each([0, 1, 2, 3])('after %i files is undone to the byte, and may go on instead', async (count) => {
    const machine = await InitMachine.create()
    for (const name of ['Claude Desktop', 'Codex', 'Windsurf']) {
      await machine.place(SAMPLES.find((sample) => sample.name === name) ?? expect.fail())
    }
    const before = await machine.look()
    const plan = await planInit(await machine.options())
    expect(plan.changes).toHaveLength(4)
    await writeJournal(machine.patient.home.path, plan.changes, 0)
    for (const change of plan.changes.slice(0, count)) expect(await applyChange(change)).toBeUndefined()
    const draft = `${machine.patient.user('.codex', 'config.toml')}.8f14e45f-ceea-467f-ab29-0123456789ab.tmp`
    await writeFile(draft, 'half')
    // Whoever does not undo may run it again: the rest is done.
    expect((await machine.run(['--yes'])).code).toBe(0)
    expect(Object.keys(await machine.servers()).sort()).toEqual([
      'context',
      'figma',
      'filesystem',
      'literal',
      'remote',
      'thinking',
      'with-space',
    ])
    expect((await machine.run(['--undo'])).code).toBe(0)
    expect(await machine.look()).toEqual(before)
    expect(await machine.servers()).toEqual({})
  })
})

it('writes nothing where our own configuration cannot be written', async () => {
  const machine = await InitMachine.create()
  await machine.place(SAMPLES[1] ?? expect.fail())
  await chmod(machine.patient.home.configFile, 0o400)
  const before = await machine.look()
  const { code, err } = await machine.run(['--yes'])
  expect(code).toBe(64)
  expect(err).toContain('it is read-only')
  expect(await machine.look()).toEqual(before)
})

it('whoever leaves is told of the logins and secrets that stay, and of the key that seals them', async () => {
  const { patient } = await InitMachine.create()
  const options = { cwd: patient.work(), env: { HOME: patient.user(), PATH: '' } }
  expect((await patient.home.run(['uninstall', '--yes'], options)).out).not.toContain('logins and secrets')
  await patient.home.run(['secret', 'set', 'LATER'], { ...options, input: 'value\n' })
  await writeFile(patient.home.file('secrets', 'keychain.json'), '{}')
  const { code, out } = await patient.home.run(['uninstall', '--yes'], options)
  expect(code).toBe(0)
  expect(out).toMatch(/1 login or secret in that folder\n {4}switchboard server logout <name>/)
  expect(out).toContain('"Switchboard" in the keychain of the system')
})
