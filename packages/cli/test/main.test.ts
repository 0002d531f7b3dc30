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
    err: 'error: <tool> is missing: the name of a tool, as "switchboard tools" shows it\nusage: switchboard call <tool> [json] [options]\n',
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
    'npx switchboard server add everything -- npx -y @modelcontextprotocol/server-everything',
  )
  expect(status.out).toContain('<home>/config.json')
  const tools = await home.run(['tools'])
  expect(tools.code).toBe(0)
  expect(tools.out).toContain('No servers are configured in <home>/config.json')
  expect(JSON.parse((await home.run(['status', '--json'])).out)).toEqual({
    daemon: null,
    servers: [],
    tools: 0,
    tokens: 0,
    profiles: [],
  })
})

test('a configuration that is named must exist', async () => {
  const { code, err } = await home.run(['status', '--config', home.file('other.json')])
  expect(code).toBe(64)
  expect(err).toContain('<home>/other.json: there is no such file')
})

test('a wrong configuration is refused with file, line and the nearest key, and ends with 64', async () => {
  await home.configure('{\n  "mcpServers": {\n    "a": { "command": "x", "timout": 5 }\n  }\n}\n')
  expect(await home.run(['status'])).toMatchInlineSnapshot(`
    {
      "code": 64,
      "err": "error: <home>/config.json:3:28: mcpServers.a.timout: unknown key. Expected a key of a server. Did you mean "timeout"?
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

test('every run leaves a log of its own, under the instance id that it was given', async () => {
  await home.run(['status'], { env: { SWITCHBOARD_INSTANCE_ID: 'tt79-6f854d' } })
  const log = await readFile(home.file('logs', 'cli-tt79-6f854d.log'), 'utf8')
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ cat, inst }) => [cat, inst])).toEqual([
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

  test('a setting that does not exist is refused and nothing is written', async () => {
    const { code, err } = await home.run(['server', 'add', 'a', '--set', 'timout=1s', '--', 'x'])
    expect(code).toBe(64)
    expect(err).toContain('Did you mean "timeout"?')
    await expect(stat(home.configFile)).rejects.toThrow()
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
  await home.run(['status'], { env: { SWITCHBOARD_INSTANCE_ID: 'aaaa-000001' } })
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
