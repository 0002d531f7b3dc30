/** `main` as a whole, where no server is started. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../src/main.ts'
import { createTestIo, TestHome } from './run-main.ts'

let home: TestHome
beforeEach(async () => {
  home = await TestHome.create()
})
afterEach(async () => {
  await home[Symbol.asyncDispose]()
})

test('the version and the help need no home', async () => {
  const io = createTestIo({ env: { SWITCHBOARD_HOME: home.file('never') } })
  expect(await main(['--version'], io)).toBe(0)
  expect(io.stdout.text).toMatch(/^switchboard \d+\.\d+\.\d+\n$/)
  expect(await main(['--help'], io)).toBe(0)
  expect(await main(['completion', 'bash'], io)).toBe(0)
  await expect(stat(home.file('never'))).rejects.toThrow()
})

test('a mistake in the command line is told with its usage, and ends with 2', async () => {
  expect(await home.run(['call'])).toEqual({
    code: 2,
    out: '',
    err: 'error: <tool> is missing: the name of a tool, as "switchboard tools" shows it\nusage: switchboard call <tool> [arguments…] [options]\n',
  })
})

test('with --json a mistake is one object on stdout', async () => {
  const { code, out, err } = await home.run(['--json', 'stats'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'invalid_arguments', executed: false } })
  expect(err).toBe('')
})

test('without a configuration status and tools say how to add a server', async () => {
  const status = await home.run(['status'])
  expect(status.code).toBe(0)
  expect(status.out).toContain(
    '    switchboard server add everything -- npx -y @modelcontextprotocol/server-everything',
  )
  expect(status.out).toContain('<home>/config.json')
  const tools = await home.run(['tools'])
  expect(tools.code).toBe(0)
  expect(tools.out).toContain('No servers are configured in <home>/config.json')
  const { profiles, packs, store, ...rest } = JSON.parse((await home.run(['status', '--json'])).out)
  expect(rest).toEqual({ daemon: null, servers: [], tools: 0, tokens: 0 })
  expect(packs).toContainEqual(expect.objectContaining({ name: 'pack:memory', state: 'ready' }))
  // Nobody has stored anything yet, and to ask makes no file.
  expect(store).toMatchObject({ engine: 'sqlite', state: 'absent', bytes: 0 })
  // What is built in is listed without a server too.
  expect(profiles).toContainEqual({ name: 'default', tools: expect.any(Number), tokens: expect.any(Number) })
})

test('a configuration that is named must exist', async () => {
  const { code, err } = await home.run(['status', '--config', home.file('other.json')])
  expect(code).toBe(64)
  expect(err).toContain('<home>/other.json: there is no such file')
})

test('a wrong configuration is refused with file, line and the nearest key, and ends with 64', async () => {
  await home.configure('{\n  "mcpServers": {},\n  "startParalelism": 5\n}\n')
  expect(await home.run(['status'])).toMatchInlineSnapshot(`
    {
      "code": 64,
      "err": "error: <home>/config.json:3:3: startParalelism: unknown key. Expected a key of the configuration. Did you mean "startParallelism"?
    hint:  Correct the place that the message names; nothing was started.
    code:  invalid_configuration (docs/errors.md)
    ",
      "out": "",
    }
  `)
  const { out } = await home.run(['tools', '--json'])
  expect(JSON.parse(out)).toMatchObject({ ok: false, error: { code: 'invalid_configuration' } })
})

test.each(['', 'default', 'TT79-6f854d'])('the instance id %j is an error, never another id', async (id) => {
  const { code, err } = await home.run(['status'], { env: { SWITCHBOARD_INSTANCE_ID: id } })
  expect(code).toBe(64)
  expect(err).toContain(`SWITCHBOARD_INSTANCE_ID is "${id}", which is no instance id.`)
})

test('runs that went well leave no files behind', async () => {
  for (const argv of [['status'], ['tools'], ['server', 'list'], ['trace', '--last']]) {
    expect((await home.run(argv)).code).toBe(0)
  }
  await expect(stat(home.file('logs'))).rejects.toThrow()
})

test.each([
  ['one that fails', ['server', 'show', 'nobody'], {}],
  ['one whose steps are asked for', ['status'], { SWITCHBOARD_LOG_LEVEL: 'debug' }],
])('%s leaves a log of its own, under the instance id that it was given', async (_what, argv, more) => {
  await home.run(argv, { env: { SWITCHBOARD_INSTANCE_ID: 'tt79-6f854d', ...more } })
  const log = await readFile(home.file('logs', 'cli-tt79-6f854d.log'), 'utf8')
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const own = lines.filter(({ cat }) => cat.startsWith('cli.'))
  expect(own.map(({ cat, inst }) => [cat, inst])).toEqual([
    ['cli.start', 'tt79-6f854d'],
    ['cli.end', 'tt79-6f854d'],
  ])
})

test('the home is made for its owner only', { skip: process.platform === 'win32' }, async () => {
  await home.run(['status', '--home', home.file('fresh')])
  expect((await stat(home.file('fresh'))).mode & 0o777).toBe(0o700)
})

describe('server', () => {
  const add = ['server', 'add', 'a', '--env', 'TOKEN=secret-value', '--set', 'timeout=90s', '--', 'some-program', '-y']

  test.each([
    [['--set', 'timout=5s', '--', 'x'], 'timout: unknown key. Expected a key of a server. Did you mean "timeout"?'],
    [['--set', 'concurrency=0', '--', 'x'], 'concurrency: is the number 0.'],
    [['--set', 'timeout=5', '--', 'x'], '--set timeout=5 has no unit.'],
    [['--set', 'toolTimeouts.build=5', '--', 'x'], '--set toolTimeouts.build=5 has no unit.'],
    [['--', 'npx -y some-server'], 'No program is named "npx -y some-server"'],
  ])('add %j is refused in words of the command line, and nothing is written', async (words, message) => {
    const { code, err } = await home.run(['server', 'add', 'foo', ...words])
    expect(code).toBe(2)
    expect(err).toContain(`error: ${message}`)
    expect(err).not.toMatch(/config\.json:\d/)
    await expect(stat(home.configFile)).rejects.toThrow()
  })

  test('add takes a program whose path has a blank in it', async () => {
    await mkdir(home.file('my servers'))
    await writeFile(home.file('my servers', 'run'), '')
    expect((await home.run(['server', 'add', 'foo', '--', home.file('my servers', 'run')])).code).toBe(0)
  })

  test('add makes the file, add again is refused, remove takes it out, and the text before is kept', async () => {
    expect(await home.run(add)).toEqual({
      code: 0,
      out: 'added a to <home>/config.json: some-program -y\n  next: switchboard tools a\n',
      err: '',
    })
    const written = await readFile(home.configFile, 'utf8')
    expect(JSON.parse(written).mcpServers).toEqual({
      a: { command: 'some-program', args: ['-y'], env: { TOKEN: 'secret-value' }, timeout: '90s' },
    })
    const again = await home.run(add)
    expect(again.code).toBe(64)
    expect(again.err).toContain('The server "a" is already configured')
    expect(await home.run(['server', 'remove', 'a'])).toEqual({
      code: 0,
      out: 'removed a from <home>/config.json\n',
      err: '',
    })
    expect(JSON.parse(await readFile(home.configFile, 'utf8')).mcpServers).toEqual({})
    expect(await readFile(`${home.configFile}.bak`, 'utf8')).toBe(written)
  })

  test('comments and everything else in the file stay', async () => {
    await home.configure('{\n  // mine\n  "mcpServers": {\n    "old": { "command": "x" } // keep\n  }\n}\n')
    await home.run(add)
    const text = await readFile(home.configFile, 'utf8')
    expect(text).toContain('// mine')
    expect(text).toContain('// keep')
    expect(text).toContain('"some-program"')
  })

  test('a file of keys and tokens is readable by its owner only', { skip: process.platform === 'win32' }, async () => {
    await home.run(add)
    expect((await stat(home.configFile)).mode & 0o777).toBe(0o600)
  })

  test('add places the schema that the new file names', async () => {
    await home.run(add)
    const { $schema } = JSON.parse(await readFile(home.configFile, 'utf8'))
    const schema = JSON.parse(await readFile(join(dirname(home.configFile), $schema), 'utf8'))
    expect(schema.properties).toHaveProperty('mcpServers')
  })

  test('disable and enable say what they did, also when there was nothing to do', async () => {
    await home.run(add)
    expect((await home.run(['server', 'disable', 'a'])).out).toBe('disabled a in <home>/config.json\n')
    expect((await home.run(['server', 'disable', 'a'])).out).toBe('a is disabled already; nothing was changed\n')
    expect((await home.run(['server', 'list'])).out).toMatch(/a +stdio +no +eager +some-program -y/)
    expect((await home.run(['server', 'enable', 'a'])).out).toBe('enabled a in <home>/config.json\n')
  })

  test('show and list never show a secret', async () => {
    await home.run(add)
    for (const argv of [
      ['server', 'show', 'a'],
      ['server', 'list'],
      ['server', 'show', 'a', '--json'],
      ['server', 'list', '--json'],
    ]) {
      const { out, code } = await home.run(argv)
      expect(code).toBe(0)
      expect(out).toContain('some-program')
      expect(out).not.toContain('secret-value')
    }
  })

  test('no secret among the arguments or in the address is ever on the screen', async () => {
    const secrets = [
      ...['--token', 'hunter-1', '--api-key', 'hunter-2', '--key=hunter-3', '-H', 'Authorization: Bearer hunter-4'],
      ...['https://me:hunter-5@h/?key=hunter-6', '-e', 'GITHUB_PERSONAL=hunter-7', `sk-${'hunter-8'.repeat(3)}`],
    ]
    const screens = [
      await home.run(['server', 'add', 'a', '--', 'some-program', ...secrets]),
      await home.run(['server', 'add', 'b', '--url', 'https://h/mcp?key=hunter-9', '-H', 'X-Own: hunter-10']),
      await home.run(['server', 'add', 'c', '--json', '--', 'some-program', ...secrets]),
    ]
    for (const name of ['a', 'b', 'c']) {
      screens.push(await home.run(['server', 'show', name]), await home.run(['server', 'show', name, '--json']))
    }
    screens.push(await home.run(['server', 'list'], { columns: 1_000 }), await home.run(['server', 'list', '--json']))
    for (const { code, out, err } of screens) {
      expect([code, err]).toEqual([0, ''])
      expect(out).not.toContain('hunter')
    }
    expect(screens[0]?.out).toContain(
      'some-program --token [masked] --api-key [masked] --key=[masked] -H Authorization: [masked] https://me:[masked]@h/?key=[masked] -e GITHUB_PERSONAL=[masked] [masked]',
    )
    expect(screens[1]?.out).toContain('https://h/mcp?key=[masked]')
    const typed = await home.run(['server', 'add', 'd', `sk-${'hunter-8'.repeat(3)}`])
    expect(typed.err).toContain('does not know what to do with "[masked]"')
  })

  test('add says what a server may reach of ours, and what it looks for elsewhere', async () => {
    const at = home.file('project')
    await mkdir(at)
    await writeFile(join(at, 'server.mjs'), '')
    const { out } = await home.run(['server', 'add', 'a', '--', 'node', 'server.mjs', home.path], { cwd: at })
    expect(out).toContain(
      "! a may reach what is Switchboard's own: its args[1] leads to <home>. Whoever uses its tools",
    )
    expect(out).toContain(
      '! server.mjs is looked for in <home>/servers/a, where the server runs: give its whole path, or',
    )
    const json = await home.run(['server', 'add', 'b', '--json', '--', 'node', '..'], { cwd: at })
    expect(JSON.parse(json.out)).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('its args[0] leads to'), expect.stringContaining('.. is looked for in')],
    })
    const fine = await home.run(['server', 'add', 'c', '--cwd', at, '--', './run', 'server.mjs'], { cwd: at })
    expect(fine.out).not.toContain('is looked for')
    await home.run(['server', 'add', 'd', '--', './run'], { cwd: at })
    const { mcpServers } = JSON.parse(await readFile(home.configFile, 'utf8'))
    expect([mcpServers.c.command, mcpServers.d.command]).toEqual(['./run', join(at, 'run')])
  })

  test('an unknown name is answered with the nearest one', async () => {
    await home.run(['server', 'add', 'github', '--', 'x'])
    for (const command of ['remove', 'enable', 'show', 'restart']) {
      const { code, err } = await home.run(['server', command, 'gihub'])
      expect(code, command).toBe(2)
      expect(err, command).toContain('Did you mean "github"?')
    }
  })

  test('restart says plainly that there is nothing to restart', async () => {
    await home.run(add)
    const { code, err } = await home.run(['server', 'restart', 'a'])
    expect(code).toBe(69)
    expect(err).toContain('No daemon is running, so there is no "a" to restart.')
  })

  test('with --json each edit is one object', async () => {
    expect(JSON.parse((await home.run([...add.slice(0, 3), '--json', ...add.slice(3)])).out)).toMatchObject({
      ok: true,
      added: 'a',
    })
    expect(JSON.parse((await home.run(['server', 'remove', 'a', '--json'])).out)).toMatchObject({
      ok: true,
      removed: 'a',
    })
  })
})

test('logs shows what earlier runs left, filtered, and as JSON lines', async () => {
  const env = { SWITCHBOARD_INSTANCE_ID: 'aaaa-000001', SWITCHBOARD_LOG_LEVEL: 'debug' }
  await home.run(['status'], { env })
  await home.run(['server', 'show', 'nobody'], { env: { SWITCHBOARD_INSTANCE_ID: 'aaaa-000002' } })
  const all = await home.run(['logs'])
  expect(all.out).toMatch(/^<time> INFO {2}cli-aaaa-000001 cli\.start switchboard status/)
  expect(all.out).not.toContain('switchboard logs')
  const errors = await home.run(['logs', '--level', 'error', '--json'])
  expect(
    errors.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).inst),
  ).toEqual(['aaaa-000002'])
  expect((await home.run(['logs', '--grep', 'no such text'])).err).toContain('no lines match')
})

test('server logs shows one server, not another whose name begins alike', async () => {
  await mkdir(home.file('logs'))
  const line = (msg: string) =>
    `{"ts":"2026-01-31T08:00:00.000Z","level":"info","cat":"server.stderr","inst":"aaaa-000001","msg":"${msg}"}\n`
  await writeFile(home.file('logs', 'server-git-aaaa-000001.log'), line('of git'))
  await writeFile(home.file('logs', 'server-git-hub-aaaa-000001.log'), line('of git-hub'))
  const { out } = await home.run(['server', 'logs', 'git'])
  expect(out.trim().split('\n')).toHaveLength(1)
  expect(out).not.toContain('of git-hub')
})
