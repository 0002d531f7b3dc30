import { chmod, readFile, rm, stat, symlink, utimes } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { judgeSpace } from '../../src/doctor/checks/check-disk-space.ts'
import { NODE_FLOOR } from '../../src/doctor/checks/check-node-version.ts'
import { judgeRunning } from '../../src/doctor/checks/check-servers.ts'
import { type Diagnosis, examine } from '../../src/doctor/examine.ts'
import { error, ok } from '../../src/doctor/finding.ts'
import { formatSummary } from '../../src/doctor/format-diagnosis.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { CapturedStream } from '../run-main.ts'
import { Patient } from './patient.ts'

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

describe('the doctor', () => {
  it('finds nothing wrong with a home that is well', async () => {
    const patient = await Patient.create()
    const { code, out, err } = await patient.run([])
    expect(err).toBe('')
    expect(out).toMatch(/^ok {4}version {8}Switchboard \S+ on Node \S+$/m)
    expect(out).toMatch(/^ok {4}daemon {9}does not run; it is started when an agent needs it$/m)
    // Processes are those of the whole machine, on which other tests may run.
    const { findings } = await patient.visit()
    expect(findings.filter(({ check, level }) => check !== 'processes' && level !== 'ok')).toEqual([])
    expect(code).toBe(0)
  })

  it.each([
    [[], 'Everything is fine.'],
    [['ok'], 'Everything is fine.'],
    [['warn', 'ok'], '1 warning.'],
    [['error', 'warn', 'warn*'], '1 error, 2 warnings. switchboard doctor --fix cures 1 of them.'],
    [['fixed', 'error'], '1 error, 1 fixed.'],
    [['warn*'], '1 warning. switchboard doctor --fix cures it.'],
    [['warn*', 'warn*'], '2 warnings. switchboard doctor --fix cures all of them.'],
  ])('sums up %j', (levels, expected) => {
    const found = levels.map((text): Diagnosis => {
      const base = { check: 'x', message: '', fixable: text !== 'error' && text !== 'warn' }
      if (text === 'fixed') return { ...base, level: 'ok', fixed: true }
      return { ...base, level: text === 'ok' ? 'ok' : text === 'error' ? 'error' : 'warn' }
    })
    expect(formatSummary(found, createStyle(new CapturedStream(), { env: {}, noColor: true }))).toBe(expected)
  })

  it('shows symbols and colours on a terminal', async () => {
    const patient = await Patient.create('{')
    const { out } = await patient.run([], { isTTY: true, columns: 300, env: { TERM: 'xterm' } })
    expect(out).toMatch(/^✓ version/m)
    expect(out).toMatch(/^✗ configuration .+\n +→ .+$/m)
  })

  it('wraps to the width of the terminal, with the lines below each other', async () => {
    const patient = await Patient.create()
    await patient.write(patient.user('.cursor', 'mcp.json'), {
      mcpServers: { a: { command: 'switchboard', args: ['mcp'] }, b: { command: 'switchboard', args: ['mcp'] } },
    })
    const { out } = await patient.run([], { isTTY: true, columns: 70 })
    const lines = out.split('\n')
    const first = lines.findIndex((line) => line.includes('duplicates'))
    expect(lines[first + 1]).toMatch(/^ {17}\S/)
    // The paths of a temporary folder may be longer than a line, and are never cut.
    for (const line of lines) expect(line.length <= 70 || !line.trim().includes(' ')).toBe(true)
  })

  it('tells --json everything in one object', async () => {
    const patient = await Patient.create('{')
    const { out, code } = await patient.run(['--json'])
    expect(JSON.parse(out)).toMatchObject({
      findings: expect.arrayContaining([
        {
          check: 'configuration',
          level: 'error',
          message: expect.any(String),
          cure: expect.any(String),
          fixable: false,
        },
      ]),
      summary: { error: 1 },
    })
    expect(code).toBe(1)
  })

  it('changes nothing and makes nothing unless it is asked to', async () => {
    const patient = await Patient.create()
    const none = patient.work('none')
    const { code, of } = await patient.visit([], { env: { SWITCHBOARD_HOME: none } })
    expect(code).toBe(0)
    expect(of('home')).toEqual(['ok <home>/project/none does not exist yet; it is made when it is needed'])
    expect(await patient.list(patient.work())).toEqual(['deep'])
  })

  it('goes on when one check fails, and names it', async () => {
    const patient = await Patient.create()
    const checks = [
      { name: 'bad', look: () => Promise.reject(new Error('no such table')) },
      { name: 'good', look: async () => [ok('fine')] },
    ]
    const context = patient as unknown as Parameters<typeof examine>[1]
    const found = await examine(checks, context, { fix: false, signal: new AbortController().signal })
    expect(found).toMatchObject([
      { check: 'bad', level: 'error', message: expect.stringContaining('no such table') },
      { check: 'good', level: 'ok' },
    ])
  })

  it('keeps a finding whose cure failed, with the reason', async () => {
    const patient = await Patient.create()
    const fix = () => Promise.reject(new Error('read-only file system'))
    const context = patient as unknown as Parameters<typeof examine>[1]
    const found = await examine([{ name: 'x', look: async () => [error('bad', 'cure', fix)] }], context, {
      fix: true,
      signal: new AbortController().signal,
    })
    expect(found).toEqual([
      {
        check: 'x',
        level: 'error',
        message: 'bad (could not be cured: read-only file system)',
        cure: 'cure',
        fixable: true,
      },
    ])
  })
})

describe('the version', () => {
  it('is compared with the floor that the package declares', async () => {
    const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(manifest.engines.node).toBe(`>=${NODE_FLOOR}`)
  })
})

describe('the home', () => {
  it('that others may look into is an error, and files that they may read a warning; --fix closes both', async () => {
    const patient = await Patient.create()
    await patient.write(patient.home.file('tokens.json'), '{}', 0o644)
    await patient.write(patient.home.file('logs', 'daemon.log'), '', 0o640)
    await patient.write(patient.home.file('switchboard.schema.json'), '{}', 0o644)
    await chmod(patient.home.path, 0o755)
    const before = await patient.visit()
    expect(before.code).toBe(1)
    expect(before.of('home')).toEqual([
      'error others may look into <home> (mode 755)',
      expect.stringMatching(/^warn others may read 2 files there, such as <home>\//),
    ])
    expect(await modeOf(patient.home.path)).toBe('755')
    const cured = await patient.visit(['--fix'])
    expect(cured.code).toBe(0)
    expect(cured.findings.filter(({ fixed }) => fixed)).toHaveLength(2)
    expect(await modeOf(patient.home.path)).toBe('700')
    expect(await modeOf(patient.home.file('tokens.json'))).toBe('600')
    expect(await modeOf(patient.home.file('logs', 'daemon.log'))).toBe('600')
    expect(await modeOf(patient.home.file('switchboard.schema.json'))).toBe('644')
  })

  it('that is no folder is an error; a link to one is fine', async () => {
    const patient = await Patient.create()
    await patient.write(patient.home.file('file'), '')
    const env = { SWITCHBOARD_HOME: patient.home.file('file') }
    expect((await patient.visit([], { env })).of('home')).toEqual([expect.stringMatching(/^error .+ is no folder$/)])
    await symlink(patient.home.path, patient.work('link'))
    const linked = await patient.visit([], { env: { SWITCHBOARD_HOME: patient.work('link') } })
    expect(linked.of('home')).toEqual([expect.stringMatching(/^ok .+ is for you alone$/)])
  })
})

describe('the configuration', () => {
  it('that is wrong is told with file, line and key, and the other checks go on', async () => {
    const patient = await Patient.create('{\n  "mcpServrs": { "a": { "command": "x" } }\n}')
    const { of, code } = await patient.visit()
    expect(of('configuration').join('\n')).toMatch(/<home>\/config\.json:2:\d+.*mcpServrs/)
    expect(of('daemon')).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('in which one entry is wrong is told of that server, with the variable that is not set', async () => {
    const entry = { command: process.execPath }
    const unset = '$' + '{SWITCHBOARD_TEST_NOT_SET}'
    const mcpServers = { a: { ...entry, env: { T: unset } }, b: { comand: 'x' }, c: entry }
    const patient = await Patient.create({ gateway: { port: 0 }, mcpServers })
    const { of, code } = await patient.visit()
    expect(of('configuration')).toEqual([expect.stringMatching(/^ok .*: 3 servers$/)])
    expect(of('servers')).toEqual([
      expect.stringMatching(/^error a is misconfigured: .*SWITCHBOARD_TEST_NOT_SET is not set/),
      expect.stringMatching(/^error b is misconfigured: .*neither a command nor a url/),
      expect.stringMatching(/^error b is misconfigured: .*comand.*Did you mean "command"/),
    ])
    expect(code).toBe(1)
  })

  it('with names that nobody has, and a token for a profile that is not there, says so', async () => {
    const patient = await Patient.create({
      gateway: { port: 0 },
      mcpServers: { memory: { command: process.execPath } },
      profiles: { small: { providers: ['memroy'] } },
    })
    const made = await patient.home.run(['token', 'create', 'laptop', '--profile', 'smal'])
    expect(made.code).toBe(0)
    expect(made.err).toContain(
      'there is no profile "smal", so every request with this token is refused. Did you mean "small"?',
    )
    const good = await patient.home.run(['token', 'create', 'desk', '--profile', 'small', '--json'])
    expect(JSON.parse(good.out)).not.toHaveProperty('warning')
    const { of, code } = await patient.visit()
    expect(of('configuration')).toEqual([
      expect.stringMatching(/^ok /),
      'warn profiles.small.providers: no server or pack is named "memroy". Did you mean "memory"?',
      expect.stringMatching(/^warn the token laptop: there is no profile "smal"/),
    ])
    expect(code).toBe(0)
  })

  it('that does not exist is fine, unless it was named', async () => {
    const patient = await Patient.create()
    await rm(patient.home.configFile)
    expect((await patient.visit()).of('configuration')).toEqual([expect.stringMatching(/^ok there is no /)])
    const named = await patient.visit(['--config', 'none.json'])
    expect(named.of('configuration')).toEqual([expect.stringMatching(/^error .*none\.json/)])
  })
})

describe.skipIf(process.platform === 'win32')('a configuration that others may read', () => {
  const SECRET = {
    gateway: { port: 0 },
    mcpServers: {
      a: { command: process.execPath, args: ['--api-key', 'hunter2'], env: { TOKEN: 'hunter2', PLAIN: 'x' } },
    },
  }

  it('is an error where secrets are written into it, and --fix closes it', async () => {
    const patient = await Patient.create(SECRET)
    await chmod(patient.home.configFile, 0o644)
    const before = await patient.visit()
    expect(before.code).toBe(1)
    expect(before.of('configuration')).toEqual([
      expect.stringMatching(/^ok .+: 1 server$/),
      'error others may read <home>/config.json (mode 644), and mcpServers.a.args[1] and 1 more are secrets',
    ])
    expect(before.out).not.toContain('hunter2')
    expect(before.of('home')).toEqual(['ok <home> is for you alone'])
    const cured = await patient.visit(['--fix'])
    expect(cured.of('configuration').at(-1)).toBe('ok <home>/config.json is for you alone now (mode 600)')
    expect(await modeOf(patient.home.configFile)).toBe('600')
    expect((await patient.visit()).of('configuration')).toHaveLength(1)
  })

  it('is an error where the secret is that of a login, however short it is', async () => {
    const oauth = { clientId: 'id', clientSecret: 'abc' }
    const patient = await Patient.create({
      gateway: { port: 0 },
      mcpServers: { a: { url: 'https://example.com/mcp', oauth } },
    })
    await chmod(patient.home.configFile, 0o644)
    expect((await patient.visit()).of('configuration').at(-1)).toBe(
      'error others may read <home>/config.json (mode 644), and mcpServers.a.oauth.clientSecret is a secret',
    )
  })

  it('is found where a link or an option leads to it', async () => {
    const patient = await Patient.create()
    const file = patient.work('dotfiles', 'config.json')
    await patient.write(file, SECRET, 0o640)
    expect((await patient.visit(['--config', file])).of('configuration').at(-1)).toMatch(/^error others may read/)
    await rm(patient.home.configFile)
    await symlink(file, patient.home.configFile)
    expect((await patient.visit()).of('configuration').at(-1)).toMatch(/^error others may read .+ \(mode 640\)/)
    await patient.visit(['--fix'])
    expect(await modeOf(file)).toBe('600')
  })

  it('is a warning where it only names the variables that hold them', async () => {
    const reference = `\${TOKEN}`
    const patient = await Patient.create({
      gateway: { port: 0 },
      mcpServers: {
        a: {
          command: 'x',
          enabled: false,
          args: ['--token', reference, `--key=${reference}`],
          env: { TOKEN: reference },
        },
        b: { url: 'https://example.invalid', enabled: false, headers: { Authorization: `Bearer ${reference}` } },
      },
    })
    await chmod(patient.home.configFile, 0o644)
    expect((await patient.visit()).of('configuration').at(-1)).toBe(
      'warn others may read <home>/config.json (mode 644)',
    )
  })

  it('is an error where it cannot be read and looks like one with secrets', async () => {
    const patient = await Patient.create('{ "mcpServers": { "a": { "env": { "API_KEY": "hunter2" } }')
    await chmod(patient.home.configFile, 0o644)
    expect((await patient.visit()).of('configuration').at(-1)).toMatch(/^error .+ and it may hold secrets$/)
  })
})

describe('a server that is given the home', () => {
  it('is told of, with what leads there', async () => {
    const patient = await Patient.create({
      gateway: { port: 0 },
      mcpServers: {
        files: { command: process.execPath, args: ['..'] },
        own: { command: process.execPath, args: ['.'] },
        off: { command: process.execPath, args: ['/'], enabled: false },
      },
    })
    const { findings, of, code } = await patient.visit()
    expect(of('reach')).toEqual([
      expect.stringMatching(/^warn files may reach what is Switchboard's own: its args\[0\] leads to <home>\/servers/),
    ])
    expect(findings.find(({ check }) => check === 'reach')?.cure).toContain('change args[0] of files')
    expect(code).toBe(0)
  })
})

describe('without a daemon', () => {
  it('servers whose program is missing are told with how to install them', async () => {
    const patient = await Patient.create({
      gateway: { port: 0 },
      mcpServers: {
        here: { command: process.execPath },
        gone: { command: 'no-such-program', install: 'pipx install it' },
        folder: { command: process.execPath, cwd: '/no/such/folder' },
        off: { command: 'no-such-program', enabled: false },
        far: { url: 'https://example.invalid/mcp' },
      },
    })
    const { findings, of, code } = await patient.visit()
    expect(of('servers')).toEqual([
      'error gone cannot be started: the command "no-such-program" was not found on the PATH',
      'error folder cannot be started: the working directory /no/such/folder does not exist',
    ])
    expect(findings.find(({ message }) => message.startsWith('gone'))?.cure).toBe('pipx install it')
    expect(code).toBe(1)
  })

  it('what one that is gone left in its place is told, and deleted with --fix', async () => {
    const patient = await Patient.create()
    const run = (name: string) => patient.home.file('run', name)
    await patient.write(run('daemon.json'), '{}')
    await patient.write(run('daemon.sock'), '')
    await patient.write(run('starting'), '')
    expect((await patient.visit()).of('daemon')).toEqual([
      'warn <home>/run/daemon.sock was left behind by a daemon that is gone',
      'warn <home>/run/daemon.json was left behind by a daemon that is gone',
      'ok does not run; it is started when an agent needs it',
    ])
    // Somebody may just be about to start one, until that is long ago.
    await utimes(run('starting'), new Date(0), new Date(0))
    const { findings, code } = await patient.visit(['--fix'])
    expect(code).toBe(0)
    expect(findings.filter(({ fixed }) => fixed)).toHaveLength(3)
    expect((await patient.list(patient.home.file('run'))).filter((name) => name !== 'daemon.lock')).toEqual([])
    expect((await patient.visit()).of('daemon')).toEqual(['ok does not run; it is started when an agent needs it'])
  })

  it('a door that is open to every user of the machine is a warning, with the cure', async () => {
    const patient = await Patient.create({ gateway: { port: 0, auth: 'none' } })
    const { findings } = await patient.visit()
    const [, open] = findings.filter(({ check }) => check === 'http')
    expect(open).toMatchObject({ level: 'warn', message: expect.stringContaining('every user of this machine') })
    expect(open?.cure).toContain('gateway.auth')
  })

  it('a port that somebody else has is a warning', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    try {
      const patient = await Patient.create({ gateway: { port } })
      const [told] = (await patient.visit()).of('http')
      expect(told).toContain(`warn the port ${port} on 127.0.0.1 is in use by`)
      if (process.platform === 'linux') expect(told).toContain('process')
    } finally {
      server.close()
    }
  })
})

describe('servers that a daemon runs', () => {
  const base = {
    transport: 'stdio',
    shared: true,
    stale: false,
    restarts: 0,
    attempt: 0,
    inFlight: 0,
    queued: 0,
    calls: 0,
    failures: 0,
    tools: 0,
    resources: 0,
    prompts: 0,
    serialised: false,
    lastStderr: [],
  } as const

  it.each([
    ['ready', {}, []],
    ['idle', {}, []],
    ['disabled', {}, []],
    ['starting', {}, []],
    ['starting', { restarts: 2, reason: 'it died' }, ['warn s is being started again: it died']],
    ['probing', {}, ['warn s does not answer at the moment']],
    ['backoff', { reason: 'exit 3\nmore' }, ['error s is down: exit 3']],
    ['failed', { lastStderr: ['no database'] }, ['error s is down: no database']],
    ['not_installed', { reason: 'no uvx', install: 'pip install uv' }, ['error s is not installed: no uvx']],
    ['auth_required', { reason: '401' }, ['error s asks for a credential: 401']],
    ['auth_required', { reason: 'nobody is', login: 'wanted' }, ['error s needs a login: nobody is']],
  ] as const)('%s %j', (state, more, expected) => {
    const found = judgeRunning([{ ...base, name: 's', state, ...more }])
    const told = found.filter(({ level }) => level !== 'ok').map(({ level, message }) => `${level} ${message}`)
    expect(told).toEqual(expected)
    for (const { level, cure } of found) expect(level === 'ok' || (cure ?? '').length > 5).toBe(true)
  })
})

describe('mode files', () => {
  it('of windows that are long gone are told, and deleted with --fix; others stay', async () => {
    const patient = await Patient.create()
    const file = (name: string) => patient.home.file('modes', name)
    await patient.write(file('agent_mode_aaaa-000001.json'), '{}')
    await patient.write(file('agent_mode_bbbb-000002.json'), '{}')
    await patient.write(file('notes.txt'), 'mine')
    const old = new Date(Date.now() - 25 * 3_600_000)
    await utimes(file('agent_mode_aaaa-000001.json'), old, old)
    await utimes(file('notes.txt'), old, old)
    const { of, code } = await patient.visit()
    expect(of('modes')).toEqual(['warn 1 mode file of windows that are long gone in <home>/modes'])
    expect(code).toBe(0)
    await patient.visit(['--fix'])
    expect(await patient.list(patient.home.file('modes'))).toEqual(['agent_mode_bbbb-000002.json', 'notes.txt'])
  })
})

describe('the logs and the disk', () => {
  it('a log folder that is no folder is an error', async () => {
    const patient = await Patient.create()
    await patient.write(patient.home.file('logs'), '')
    expect((await patient.visit()).of('logs')).toEqual([expect.stringMatching(/^error .+ is no folder/)])
  })

  it.each([
    [500_000_000_000, 'ok', '500 GB are free'],
    [150_000_000, 'warn', 'only 150 MB are free'],
    [1_000_000, 'error', 'only 1 MB are free'],
  ])('%d free bytes: %s', (free, level, message) => {
    const finding = judgeSpace(free, '/home')
    expect(finding.level).toBe(level)
    expect(finding.message).toContain(message)
  })
})
