/** `main` as a whole on real servers, in this process. */
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import {
  createLeakCheck,
  fixtureCommand,
  readJournal,
  startRemoteFixture,
  waitFor,
  waitForJournal,
} from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../src/main.ts'
import { TestHome } from './run-main.ts'

const leaks = createLeakCheck()
const homes: TestHome[] = []
beforeEach(() => leaks.begin())
afterEach(async () => {
  await leaks.check()
  await Promise.all(homes.splice(0).map((home) => home[Symbol.asyncDispose]()))
})

async function createHome(...config: Parameters<typeof TestHome.create>): Promise<TestHome> {
  const home = await TestHome.create(...config)
  homes.push(home)
  return home
}

const few = fixtureCommand({
  builtInTools: false,
  tools: [
    {
      name: 'greet',
      description: 'Says hello.\nAnd more.',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    },
    {
      name: 'picture',
      description: 'Draws.',
      result: {
        content: [{ type: 'image', mimeType: 'image/png', data: Buffer.from('not really a png').toString('base64') }],
      },
    },
    { name: 'weather', description: 'Tells the weather.', result: { content: [], structuredContent: { degrees: 12 } } },
    {
      name: 'links',
      description: 'Points elsewhere.',
      result: {
        content: [
          { type: 'resource_link', uri: 'file:///a.txt', name: 'a', mimeType: 'text/plain' },
          { type: 'resource', resource: { uri: 'file:///b.txt', text: 'inside b' } },
          { type: 'hologram', data2: 1 },
        ],
      },
    },
  ],
})
const broken = { command: process.execPath, args: ['-e', 'console.error("no database"); process.exit(3)'] }
/** What packs list and cost is their own business, and changes with them. */
const missing = { command: 'no-such-program-anywhere', install: 'pipx install it' }

test('status without a daemon shows what is configured, and starts nothing', async () => {
  const home = await createHome()
  const journal = home.file('journal.jsonl')
  await home.configure({ mcpServers: { one: fixtureCommand({ journal }), lazy: { ...few, start: 'lazy' } } })
  const io = home.io()
  expect(await main(['status'], io)).toBe(0)
  expect(io.stdout.plain).toMatch(/one +■ stopped/)
  expect(io.stdout.plain).toMatch(/lazy +■ stopped/)
  expect(io.stderr.plain).toContain('no daemon is running, and no server: switchboard up starts them')
  const { daemon, servers } = JSON.parse((await home.run(['status', '--json'])).out)
  expect([daemon, servers.length]).toEqual([null, 2])
  const watch = await home.run(['status', '--watch'])
  expect(watch.code).toBe(69)
  expect(watch.err).toContain('there is nothing to watch')
  expect(existsSync(journal)).toBe(false)
})

test('status --no-daemon starts the servers, shows them, and stops them', { timeout: 60_000 }, async () => {
  const disabled = { ...few, enabled: false }
  const home = await createHome({
    mcpServers: { few, broken, missing, disabled, lazy: { ...few, start: 'lazy' } },
    packs: WITHOUT_PACKS,
  })
  const { code, out, err } = await home.run(['status', '--no-daemon'])
  expect(code).toBe(0)
  expect(err).toBe('')
  expect(
    out
      .replace(/ +/g, ' ')
      .replace(/(– – – )\d+/g, '$1<n>')
      .replace(/\(\d+ times\)/, '(<n> times)'),
  ).toMatchInlineSnapshot(`
    " SERVER STATE TRANSPORT ERA PID UPTIME RESTARTS IN FLIGHT P50/P95 TOOLS TOKENS
     few ● ready stdio legacy <pid> <up> 0 0 – 4 97
     broken ↻ retrying stdio – – – <n> 0 – – –
     the server exited with code 3
     │ no database (<n> times)
     → switchboard server logs broken
     missing ✗ not installed stdio – – – <n> 0 – – –
     the command "no-such-program-anywhere" was not found on the PATH
     → install it: pipx install it
     disabled – disabled stdio – – – – – – – –
     → switchboard server enable disabled
     lazy ○ idle stdio – – – <n> 0 – – –
     starts at its first use

     5 servers: 1 ready, 1 retrying, 1 not installed, 1 disabled, 1 idle · 4 tools, about 97 tokens
    "
  `)
})

test('status --wait gives up on a server that never answers, and still shows the others', async () => {
  const silent = fixtureCommand({ on: { initialize: { do: 'silent' }, 'server/discover': { do: 'silent' } } })
  const home = await createHome({ mcpServers: { few, silent } })
  const { code, out } = await home.run(['status', '--no-daemon', '--wait', '1500ms', '--json'])
  expect(code).toBe(0)
  const { servers } = JSON.parse(out)
  expect(servers.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['few', 'ready'],
    ['silent', 'starting'],
  ])
})

describe('tools', () => {
  test('lists names, servers and first lines, and what the list costs', async () => {
    const home = await createHome({ mcpServers: { few }, packs: WITHOUT_PACKS })
    expect(await home.run(['tools'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "err": "",
        "out": "TOOL                SERVER       DESCRIPTION
      few_greet           few          Says hello.
      few_picture         few          Draws.
      few_weather         few          Tells the weather.
      few_links           few          Points elsewhere.
      debug_get_logs      switchboard  The logs of Switchboard and all servers by time: why one failed, the whole way of one call. Newest lines win.
      switchboard_status  switchboard  The state of every MCP server behind Switchboard, why one is down, and who this session is.

      6 tools of 1 server and Switchboard itself, about 391 tokens
      ",
      }
    `)
  })

  test('fits the terminal, and --long shows the arguments', async () => {
    const home = await createHome({ mcpServers: { few } })
    const { out } = await home.run(['tools'], { isTTY: true, columns: 40 })
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40)
    expect((await home.run(['tools', '--long'])).out).toContain(
      'few_greet  few\n    Says hello.\n    And more.\n    name string (optional)\n',
    )
  })

  test('of one server starts only that one, and warns on stderr about one that is down', async () => {
    const home = await createHome({ mcpServers: { few, missing } })
    const { out, err } = await home.run(['tools', 'few', '--json'])
    expect(JSON.parse(out).tools).toHaveLength(4)
    expect(err).toBe('')
    const all = await home.run(['tools'])
    expect(all.err).toBe(
      'warning: missing is not up (not installed): the command "no-such-program-anywhere" was not found on the PATH\n',
    )
    expect((await home.run(['tools', 'fewer'])).code).toBe(2)
  })

  test('--schema shows one tool as its server defines it', async () => {
    const home = await createHome({ mcpServers: { few } })
    const { out } = await home.run(['tools', '--schema', 'few_greet'])
    expect(JSON.parse(out)).toMatchObject({
      name: 'few_greet',
      inputSchema: { properties: { name: { type: 'string' } } },
    })
  })
})

describe('call', () => {
  const one = { mcpServers: { a: fixtureCommand({}) } }

  test('prints text plainly, from JSON, stdin or typed pairs', async () => {
    const home = await createHome(one)
    expect(await home.run(['call', 'a_echo', '{"text":"hello"}'])).toEqual({ code: 0, out: 'hello\n', err: '' })
    expect((await home.run(['call', 'a_echo', '-'], { input: '{"text":"from stdin"}' })).out).toBe('from stdin\n')
    expect((await home.run(['call', 'a_add', '--arg', 'a=2', '--arg', 'b=3'])).out).toBe('5\n')
    expect((await home.run(['call', 'a_echo', '-a', 'text=12', '--raw'])).out).toBe('12')
  })

  test('starts only the server of the tool', async () => {
    const home = await createHome({ mcpServers: { few, other: fixtureCommand({ journal: 'unused' }) } })
    const journal = home.file('other.jsonl')
    await home.configure({ mcpServers: { few, other: fixtureCommand({ journal }) } })
    expect((await home.run(['call', 'few_greet'])).code).toBe(0)
    expect(await readJournal(journal)).toEqual([])
  })

  test('describes what is not text, and saves it', async () => {
    const home = await createHome({ mcpServers: { few } })
    expect((await home.run(['call', 'few_picture'])).out).toBe('[image/png, 16 bytes] save it with --output <file>\n')
    const saved = await home.run(['call', 'few_picture', '--output', 'p.png'], { cwd: home.path })
    expect(saved).toEqual({ code: 0, out: '', err: 'saved image/png, 16 bytes, to p.png\n' })
    expect(await readFile(home.file('p.png'), 'utf8')).toBe('not really a png')
    expect((await home.run(['call', 'few_picture', '--raw'])).out).toBe('not really a png')
    expect((await home.run(['call', 'few_weather'])).out).toBe('{\n  "degrees": 12\n}\n')
    expect((await home.run(['call', 'few_links'])).out).toBe(
      '[link, text/plain] a file:///a.txt\ninside b\n[hologram] --json shows it\n',
    )
  })

  test('shows progress as lines where there is no terminal, and as a bar on one', async () => {
    const home = await createHome(one)
    const lines = await home.run(['call', 'a_slow', '-a', 'ms=40', '-a', 'steps=2'])
    expect(lines).toEqual({
      code: 0,
      out: 'slept 40 ms\n',
      err: 'progress: 1/2 50% step 1 of 2\nprogress: 2/2 100% step 2 of 2\n',
    })
    const bar = await home.run(['call', 'a_slow', '-a', 'ms=40', '-a', 'steps=2'], { isTTY: true })
    expect(bar.err).toContain('████████████░░░░░░░░░░░░ 1/2 50% step 1 of 2')
  })

  test("shows the server's log messages with --verbose only", async () => {
    const home = await createHome(one)
    const call = ['call', 'a_log', '-a', 'level=warning', '-a', 'message=watch out']
    expect((await home.run([...call, '--verbose'])).err).toContain('[warning] fixture: watch out')
    expect((await home.run(call)).err).toBe('')
  })

  test("a tool's own failure goes to stderr and ends with 1", async () => {
    const home = await createHome(one)
    expect(await home.run(['call', 'a_fail', '-a', 'message=no luck'])).toEqual({ code: 1, out: '', err: 'no luck\n' })
    const json = await home.run(['call', 'a_fail', '--json'])
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({ isError: true, content: [{ type: 'text' }] })
  })

  test.each([
    [['a_ecko', '-a', 'text=x'], 2, 'unknown_tool', 'Did you mean "a_echo"?'],
    [['a_add', '{"a":1}'], 2, 'invalid_arguments', 'switchboard help a_add shows what it takes.'],
    [['a_hang', '--timeout', '2s'], 1, 'timeout', ''],
    [['a_rpc_error', '-a', 'message=odd'], 1, 'upstream_error', ''],
    [['a_exit', '-a', 'code=7'], 69, 'server_exited', ''],
    [['missing_x'], 69, 'not_installed', 'Install it with: pipx install it'],
    [['broken_x'], 75, 'restart_failed', ''],
    [['off_x'], 69, 'server_disabled', 'switchboard server enable off'],
  ])('%j ends with %i and the code %s, also as JSON', async (argv, code, errorCode, hint) => {
    const needed = argv[0] === 'broken_x' ? { broken } : { ...one.mcpServers, missing, off: { ...few, enabled: false } }
    const home = await createHome({ mcpServers: needed })
    const text = await home.run(['call', ...argv])
    expect(text).toMatchObject({ code, out: '' })
    expect(text.err).toContain(`code:  ${errorCode} (docs/errors.md)`)
    expect(text.err).toContain(hint)
    const json = await home.run(['call', ...argv, '--json'])
    expect(json.code).toBe(code)
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, error: { code: errorCode } })
  })

  test('is recorded in the audit trail, secrets masked, and the server log has its stderr', async () => {
    const home = await createHome({ mcpServers: { ...one.mcpServers, broken } })
    const env = { SWITCHBOARD_INSTANCE_ID: 'tt79-6f854d' }
    await home.run(['call', 'a_echo', '{"text":"x","password":"hunter2"}'], { env })
    await home.run(['call', 'broken_x'], { env })
    const trail = await readFile(home.file('traces', 'tt79-6f854d.jsonl'), 'utf8')
    expect(JSON.parse(trail)).toMatchObject({
      inst: 'tt79-6f854d',
      tool: 'a_echo',
      provider: 'a',
      outcome: 'ok',
      caller: 'switchboard-cli',
    })
    expect(trail).not.toContain('hunter2')
    expect(await readdir(home.file('logs'))).toContain('server-broken-tt79-6f854d.log')
    expect((await home.run(['server', 'logs', 'broken', '--limit', '1'])).out).toContain('no database')
  })

  test('is cancelled on the server by Ctrl-C, and ends with 130', async () => {
    const home = await createHome()
    const journal = home.file('journal.jsonl')
    await home.configure({ mcpServers: { a: fixtureCommand({ journal }) } })
    const io = home.io()
    const ended = main(['call', 'a_slow', '-a', 'ms=60000'], io)
    await waitForJournal(journal, ({ message }) => message?.method === 'tools/call')
    io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await ended).toBe(130)
    expect(io.stderr.plain).toContain('cancelled: a_slow: the server was told')
    const methods = (await readJournal(journal)).map(({ message }) => message?.method)
    expect(methods).toContain('notifications/cancelled')
  })

  test.each(['http', 'sse', 'websocket'] as const)('is cancelled on a remote server too, over %s', async (type) => {
    const home = await createHome()
    const journal = home.file('journal.jsonl')
    const remote = await startRemoteFixture({ journal }, type)
    try {
      await home.configure({ mcpServers: { a: { url: remote.url, type } } })
      const io = home.io()
      const ended = main(['call', 'a_slow', '-a', 'ms=60000'], io)
      await waitForJournal(journal, ({ message }) => message?.method === 'tools/call')
      io.interrupt({ kind: 'signal', signal: 'SIGINT' })
      expect(await ended).toBe(130)
      await waitForJournal(journal, ({ message }) => message?.method === 'notifications/cancelled')
    } finally {
      await remote[Symbol.asyncDispose]()
    }
  })

  test('answers roots with the working directory, declines a model, and without a terminal a form', async () => {
    const home = await createHome(one)
    const roots = await home.run(['call', 'a_ask', '-a', 'kind=roots'], { cwd: home.path })
    expect(roots.out).toMatch(/\[\{"roots":\[\{"uri":"file:\/\/.*","name":"switchboard-cli-\w+"\}\]\}\]/)
    const model = await home.run(['call', 'a_ask', '-a', 'kind=sampling', '-a', 'force=true'])
    expect(model.code).toBe(1)
    expect(model.err).toContain('declined: the server asked for a model (sampling), which a terminal does not have')
    const form = await home.run(['call', 'a_ask', '-a', 'kind=elicitation', '-a', 'message=Who?'])
    expect(form.out).toBe('[{"action":"decline"}]\n')
    expect(form.err).toBe('declined: the server asks "Who?", and there is no terminal to ask on\n')
  })

  test.each(['legacy', 'modern'] as const)(
    'asks the person at the terminal for the fields of a form (%s)',
    async (era) => {
      const home = await createHome({ mcpServers: { a: fixtureCommand({ era }) } })
      const io = home.io({ isTTY: true })
      const ended = main(['call', 'a_ask', '-a', 'message=Who are you?', '--no-color'], io)
      await waitFor(() => io.stderr.plain.includes('answer (text): '))
      expect(io.stderr.plain).toContain('? Who are you?')
      io.stdin.write('Ada\r')
      expect(await ended).toBe(0)
      expect(io.stdout.plain).toBe('[{"action":"accept","content":{"answer":"Ada"}}]\n')
    },
  )

  test('a needed field that is left empty is asked for again, and Ctrl-D declines', async () => {
    const home = await createHome(one)
    const io = home.io({ isTTY: true })
    const ended = main(['call', 'a_ask', '--no-color'], io)
    await waitFor(() => io.stderr.plain.includes('answer (text): '))
    io.stdin.write('\r')
    await waitFor(() => io.stderr.plain.includes('Decline the whole form? [y/N] '))
    io.stdin.write('n\r')
    await waitFor(() => io.stderr.plain.split('answer (text): ').length === 3)
    io.stdin.write('\x04')
    expect(await ended).toBe(0)
    expect(io.stdout.plain).toBe('[{"action":"decline"}]\n')
  })
})

describe('server add --try', () => {
  test('starts it once and shows its tools', async () => {
    const home = await createHome()
    const { code, out } = await home.run(['server', 'add', 'few', '--try', '--', few.command, ...few.args])
    expect(code).toBe(0)
    expect(out).toContain('It works: 4 tools\n  few_greet  Says hello.\n')
  })

  test('keeps the entry of one that does not start, says so, and ends with 69', async () => {
    const home = await createHome()
    const { code, out } = await home.run(['server', 'add', 'missing', '--try', '--', missing.command])
    expect(code).toBe(69)
    expect(out).toContain('To take it out: switchboard server remove missing')
    expect((await home.run(['server', 'list'])).out).toContain(missing.command)
  })
})

describe('status --watch', () => {
  test('prints a line for every change, applies the configuration live and keeps the old one when it is wrong', async () => {
    const home = await createHome({ mcpServers: { few } })
    const io = home.io()
    const ended = main(['status', '--no-daemon', '--watch'], io)
    const seen = (text: string) => waitFor(() => io.stdout.plain.includes(text), { what: text })
    await seen('few ready (pid')
    await home.configure({ mcpServers: { few, other: few } })
    await seen('configuration applied: +other')
    await seen('other ready (pid')
    await home.configure(JSON.stringify({ mcpServers: { few, other: { ...few, timout: 1 } } }))
    await seen('configuration applied: other is misconfigured: ')
    await home.configure('{"mcpServrs": {}}')
    await seen('configuration refused: ')
    expect(io.stdout.plain).toContain('Did you mean "mcpServers"?')
    await home.configure({ mcpServers: { few } })
    await seen('configuration applied: -other')
    io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await ended).toBe(0)
    const lines = home.normalize(io.stdout.plain).split('\n')
    expect(lines[0]).toBe('<time> few starting')
    expect(lines.filter((line) => line.includes('few '))).toHaveLength(3)
  })

  test('goes on when the file vanishes, and greets who has none', async () => {
    const home = await createHome()
    const io = home.io()
    const ended = main(['status', '--no-daemon', '--watch'], io)
    await waitFor(() => io.stdout.plain.includes('no servers in'))
    await home.configure({ mcpServers: { few } })
    await waitFor(() => io.stdout.plain.includes('few ready'))
    await rm(home.configFile)
    await waitFor(() => io.stdout.plain.includes('there is no such file any more'))
    expect(io.stdout.plain).not.toContain('-few')
    io.interrupt({ kind: 'signal', signal: 'SIGTERM' })
    expect(await ended).toBe(143)
  })

  test('with --json every line is an object', async () => {
    const home = await createHome({ mcpServers: { few } })
    const io = home.io()
    const ended = main(['status', '--no-daemon', '--watch', '--json'], io)
    await waitFor(() => io.stdout.plain.includes('"state":"ready"'))
    await writeFile(home.configFile, '{')
    await waitFor(() => io.stdout.plain.includes('configuration_refused'))
    io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await ended).toBe(0)
    const events = io.stdout.plain
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ type: 'state_changed', server: 'few', state: 'starting' })
    expect(events.at(-1)).toMatchObject({ type: 'configuration_refused', error: { code: 'invalid_configuration' } })
  })

  test('on a terminal redraws in place, obeys its keys and leaves the terminal as it was', async () => {
    const home = await createHome({ mcpServers: { one: few, two: few } })
    const io = home.io({ isTTY: true, columns: 100 })
    const ended = main(['status', '--no-daemon', '--watch'], io)
    await waitFor(() => io.stdout.plain.includes('two ready (pid'))
    io.stdin.write('\x1b[B')
    await waitFor(() => io.stdout.plain.includes('▸ two'))
    io.stdin.write('r')
    await waitFor(() => io.stdout.plain.includes('two: restart asked for'))
    io.stdin.write('q')
    expect(await ended).toBe(0)
    expect(io.stdout.plain).toContain('All servers are stopped.')
    expect(io.stdout.text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(io.stdout.text.lastIndexOf('\x1b[?25l'))
  })
})
