/** The commands with a daemon and without: `main` in this process, the daemon in one of its own. */
import { writeFile } from 'node:fs/promises'
import { fixtureCommand, isAlive, readJournal, waitFor, waitForJournal } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ALONE_NOTE } from '../../src/backend/run-with-backend.ts'
import { main } from '../../src/main.ts'
import { VERSION } from '../../src/program/program-version.ts'
import { DaemonHome } from '../daemon-home.ts'
import type { TestHome } from '../run-main.ts'

const isWindows = process.platform === 'win32'
let daemon: DaemonHome
let home: TestHome
let journal: string
let pid: number

beforeEach(async () => {
  daemon = await DaemonHome.create()
  home = daemon.home
  journal = home.file('journal.jsonl')
  await home.configure({
    mcpServers: {
      a: fixtureCommand({ journal }),
      // The budget has room for the start of the server, on a busy machine too.
      lazy: { ...fixtureCommand({}), start: 'lazy', toolTimeouts: { slow: 3_000 } },
    },
    profiles: { small: { tools: { allow: ['a_echo'] } }, default: { tools: { allow: ['a_echo'] } } },
  })
  pid = await daemon.up()
})
afterEach(() => daemon.dispose())

const callArrived = () => waitForJournal(journal, ({ message }) => message?.method === 'tools/call')
/** How often the server was started. */
const starts = async () => (await readJournal(journal)).filter(({ event }) => event === 'start').length

describe('status', () => {
  test('shows the daemon, its servers, what profiles cost, its windows and its queue', async () => {
    const { code, out, err } = await home.run(['status'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const lines = out.split('\n')
    expect(lines[0]).toMatch(/^ {2}● daemon \d+\.\d+\.\d+, pid <pid>, up \d+s · http:\/\/127\.0\.0\.1:\d+\/mcp$/)
    expect(out).toMatch(/ {2}a +● ready +stdio/)
    expect(out).toContain('profile small: 1 tool, about')
    expect(out).toContain('no windows are attached')
    expect(out).not.toContain('index queue')
    expect(await starts()).toBe(1)
  })

  test('with --json carries everything', async () => {
    const status = JSON.parse((await home.run(['status', '--json'])).out)
    expect(status).toMatchObject({
      daemon: { pid, version: VERSION, state: 'running', home: '<home>', http: { url: expect.any(String) } },
      configuration: { state: 'ok' },
      instances: [],
      queue: { pending: 0, running: 0, failed: 0 },
      recentActivity: { state: 'never_ran' },
      tools: expect.any(Number),
    })
    expect(status.servers.map(({ name }: { name: string }) => name)).toEqual(['a', 'lazy'])
    expect(status.servers[0].tokens).toBeGreaterThan(0)
  })

  test('shows a window that is attached, and a configuration that was refused', async () => {
    const call = daemon.start(['call', 'a_slow', '-a', 'ms=60000'])
    await callArrived()
    await writeFile(home.configFile, '{"mcpServrs": {}}')
    await waitFor(async () => (await home.run(['status'])).out.includes('The configuration is not applied'))
    const { out } = await home.run(['status'])
    expect(out).toContain('Did you mean "mcpServers"?')
    expect(out).toMatch(/ {2}\w{4}-\w{6} {2}switchboard-cli {2}– +– +1 /)
    call.child.kill('SIGINT')
    await call.ended
  })

  test('of a server that there is none of names the nearest', async () => {
    const { code, err } = await home.run(['status', 'lasy'])
    expect(code).toBe(2)
    expect(err).toContain('Did you mean "lazy"?')
  })
})

describe('which servers are used', () => {
  test('those of the daemon, of this command with --no-daemon, and of this command with another --config', async () => {
    await home.run(['tools', 'a'])
    expect(await starts()).toBe(1)
    const alone = await home.run(['tools', 'a', '--no-daemon'])
    expect(alone.err).toBe('')
    expect(await starts()).toBe(2)
    const other = home.file('other.json')
    await writeFile(other, JSON.stringify({ mcpServers: { b: fixtureCommand({}) } }))
    const io = home.io()
    expect(await main(['tools', 'b', '--config', other], io)).toBe(0)
    expect(io.stdout.plain).toContain('b_echo')
    expect(io.stderr.plain).toBe(`${ALONE_NOTE}\n`)
    const same = home.io()
    expect(await main(['tools', 'a', '--config', home.configFile], same)).toBe(0)
    expect(same.stderr.plain).toBe('')
    expect(await starts()).toBe(2)
  })

  test('without a daemon it is said, once, on stderr, and not with --json', async () => {
    await daemon.json(['down'])
    const io = home.io()
    expect(await main(['tools', 'a'], io)).toBe(0)
    expect(io.stderr.plain).toBe(`${ALONE_NOTE}\n`)
    const json = home.io()
    expect(await main(['tools', 'a', '--json'], json)).toBe(0)
    expect(json.stderr.plain).toBe('')
    expect(JSON.parse(json.stdout.plain).tools).not.toEqual([])
  })
})

describe('tools', () => {
  test('are the same as without a daemon', async () => {
    const through = JSON.parse((await home.run(['tools', 'a', '--json'])).out)
    const alone = JSON.parse((await home.run(['tools', 'a', '--json', '--no-daemon'])).out)
    expect(through).toEqual(alone)
  })

  test('of a server that was never started are listed: it is started to know them', async () => {
    const { out, err } = await home.run(['tools'])
    expect(err).toBe('')
    expect(out).toContain('lazy_echo')
  })

  test('one that only a server has which was never started is found', async () => {
    const { code, out } = await home.run(['tools', '--schema', 'lazy_echo'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ name: 'lazy_echo' })
  })
})

describe("Switchboard's own tools", () => {
  test.each([[[]], [['--no-daemon']]])('are listed last and found, with %j', async (more) => {
    const { out } = await home.run(['tools', 'switchboard', ...more])
    expect(out).toMatch(/^switchboard_status +switchboard +/m)
    expect(out).toMatch(/^\d+ tools of Switchboard itself, about/m)
    const { tools } = JSON.parse((await home.run(['tools', '--json', ...more])).out)
    expect(tools.at(-1)).toMatchObject({ server: 'switchboard', stale: false })
    expect((await home.run(['tools', ...more])).out).toMatch(/tools of 2 servers and Switchboard itself/)
    expect((await home.run(['tools', '--schema', 'debug_get_logs', ...more])).code).toBe(0)
    expect((await home.run(['call', 'switchboard_statu', ...more])).err).toContain('Did you mean "switchboard_status"?')
    const status = JSON.parse((await home.run(['status', '--json', ...more])).out)
    expect(status.tools).toBe(status.servers.reduce((sum: number, server: { tools: number }) => sum + server.tools, 0))
  })

  test.each([[[]], [['--no-daemon']]])('those of packs are there too, with %j', async (more) => {
    const { tools } = JSON.parse((await home.run(['tools', 'switchboard', '--json', ...more])).out)
    const [name] = tools
      .filter(({ server }: { server: string }) => server === 'pack:debug')
      .map((tool: { name: string }) => tool.name)
    expect((await home.run(['tools', '--schema', name, ...more])).code).toBe(0)
    expect((await home.run(['call', name, '{"no such argument":1}', ...more])).err).toContain('invalid_arguments')
  })

  test.each([[[]], [['--no-daemon']]])('what a command debugs ends with it, and it says so, with %j', async (more) => {
    await writeFile(home.file('app.mjs'), 'let total = 1\ntotal += 1\nconsole.log(total)\n')
    const start = { program: home.file('app.mjs'), breakpoints: [{ path: home.file('app.mjs'), line: 2 }] }
    const { code, out, err } = await home.run(['call', 'debug_start', JSON.stringify(start), ...more])
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('total=1') })
    expect(err).toContain('The debug session s1 has ended with this command')
    expect((await home.run(['call', 'debug_continue', ...more])).err).toContain('E_NO_SESSION')
  })

  test('cost what status tells, also where no server is configured', async () => {
    await home.configure({})
    // Its servers go first, its profiles a moment later.
    const isApplied = async (): Promise<boolean> => {
      const { out } = await home.run(['status'])
      return out.includes('No servers are configured yet') && /profile default: \d+ tools, about \S+ tokens/.test(out)
    }
    await waitFor(isApplied, { timeout: 30_000, what: 'the cost of the default profile without servers' })
  })

  test.each([[[]], [['--no-daemon']]])('can be called, with %j', async (more) => {
    const { code, out } = await home.run(['call', 'switchboard_status', ...more])
    expect(code).toBe(0)
    expect(out).toContain(more.length === 0 ? 'daemon pid' : 'without a daemon')
    expect((await home.run(['call', 'debug_get_logs', '-a', 'limit=3', ...more])).code).toBe(0)
    expect(await home.run(['call', 'debug_get_logs', '-a', 'limit=-1', ...more])).toMatchObject({ code: 2 })
  })

  test.each([[[]], [['--no-daemon']]])('those of modes too where modes are configured, with %j', async (more) => {
    await home.configure({ mcpServers: {}, modes: { look: { description: 'Looks only.', tools: { allow: ['*'] } } } })
    await waitFor(async () => (await home.run(['tools', 'switchboard', ...more])).out.includes('mode_status'))
    expect((await home.run(['call', 'mode_status', ...more])).out).toContain('- look: Looks only.')
  })
})

describe('call', () => {
  test.each([[[]], [['--no-daemon']]])(
    'reaches what a profile leaves out, unless one is named, with %j',
    async (more) => {
      expect((await home.run(['call', 'a_add', '-a', 'a=1', '-a', 'b=2', ...more])).out).toBe('3\n')
      const denied = await home.run(['call', 'a_add', '-a', 'a=1', '-a', 'b=2', '--profile', 'small', ...more])
      expect(denied.code).not.toBe(0)
      expect(denied.err).toContain('profile_denied')
      const unknown = await home.run(['call', 'a_echo', '-a', 'text=x', '--profile', 'smal', ...more])
      expect(unknown.err).toContain('unknown_profile')
      expect((await home.run(['call', 'a_echo', '-a', 'text=x', '--profile', 'small', ...more])).out).toBe('x\n')
    },
  )

  test.each([[[]], [['--no-daemon']]])('raises a budget that the server sets, with %j', async (more) => {
    const slow = ['call', 'lazy_slow', '-a', 'ms=4000', ...more]
    expect((await home.run(slow)).err).toContain('code:  timeout')
    expect(await home.run([...slow, '--timeout', '30s'])).toMatchObject({ code: 0, out: 'slept 4000 ms\n' })
  })

  test('prints what the tool answers, its progress and its log messages', async () => {
    expect(await home.run(['call', 'a_echo', '{"text":"hello"}'])).toEqual({ code: 0, out: 'hello\n', err: '' })
    expect((await home.run(['call', 'a_add', '--arg', 'a=2', '--arg', 'b=3'])).out).toBe('5\n')
    expect(await home.run(['call', 'a_slow', '-a', 'ms=40', '-a', 'steps=2'])).toEqual({
      code: 0,
      out: 'slept 40 ms\n',
      err: 'progress: 1/2 50% step 1 of 2\nprogress: 2/2 100% step 2 of 2\n',
    })
    const log = ['call', 'a_log', '-a', 'level=warning', '-a', 'message=watch out']
    expect((await home.run([...log, '--verbose'])).err).toContain('[warning] fixture: watch out')
    expect(await starts()).toBe(1)
  })

  test.each([
    [['a_ecko', '-a', 'text=x'], 2, 'unknown_tool', 'Did you mean "a_echo"?'],
    [['a_add', '{"a":1}'], 2, 'invalid_arguments', 'switchboard help a_add shows what it takes.'],
    [['a_hang', '--timeout', '300ms'], 1, 'timeout', ''],
  ] as const)('%j ends with %i and %s', async (argv, code, errorCode, hint) => {
    const { code: ended, err } = await home.run(['call', ...argv])
    expect(ended).toBe(code)
    expect(err).toContain(`code:  ${errorCode} (docs/errors.md)`)
    expect(err).toContain(hint)
  })

  test("a tool's own failure goes to stderr and ends with 1", async () => {
    expect(await home.run(['call', 'a_fail', '-a', 'message=no luck'])).toEqual({ code: 1, out: '', err: 'no luck\n' })
  })

  test('answers roots with the working directory, declines a model, and without a terminal a form', async () => {
    const roots = await home.run(['call', 'a_ask', '-a', 'kind=roots'], { cwd: home.path })
    expect(roots.out).toMatch(/\[\{"roots":\[\{"uri":"file:\/\/.*","name":"switchboard-cli-\w+"\}\]\}\]/)
    const model = await home.run(['call', 'a_ask', '-a', 'kind=sampling', '-a', 'force=true'])
    expect(model.code).toBe(1)
    expect(model.err).toContain('declined: the server asked for a model (sampling), which a terminal does not have')
    const form = await home.run(['call', 'a_ask', '-a', 'kind=elicitation', '-a', 'message=Who?'])
    expect(form.out).toBe('[{"action":"decline"}]\n')
  })

  test('asks the person at the terminal, and the budget stands still meanwhile', async () => {
    const io = home.io({ isTTY: true })
    const ended = main(['call', 'a_ask', '-a', 'message=Who are you?', '--no-color', '--timeout', '10s'], io)
    await waitFor(() => io.stderr.plain.includes('answer (text): '))
    io.stdin.write('Ada\r')
    expect(await ended).toBe(0)
    expect(io.stdout.plain).toBe('[{"action":"accept","content":{"answer":"Ada"}}]\n')
  })

  test('is cancelled on the server by Ctrl-C; the server and the daemon go on', async () => {
    const io = home.io()
    const ended = main(['call', 'a_slow', '-a', 'ms=60000'], io)
    await callArrived()
    io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await ended).toBe(130)
    expect(io.stderr.plain).toContain('cancelled: a_slow: the server was told')
    await waitForJournal(journal, ({ message }) => message?.method === 'notifications/cancelled')
    expect(await home.run(['call', 'a_echo', '-a', 'text=on'])).toMatchObject({ code: 0, out: 'on\n' })
    expect(await starts()).toBe(1)
  })

  test('two at once, of which one is cancelled, do not disturb each other', async () => {
    const cancelled = home.io()
    const first = main(['call', 'a_slow', '-a', 'ms=60000'], cancelled)
    await callArrived()
    const second = home.run(['call', 'a_slow', '-a', 'ms=500'])
    cancelled.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await first).toBe(130)
    expect(await second).toMatchObject({ code: 0, out: 'slept 500 ms\n' })
  })
})

describe('a daemon that dies in the middle', () => {
  test('fails the call with daemon_restarted, at once', async () => {
    const io = home.io()
    const ended = main(['call', 'a_slow', '-a', 'ms=60000'], io)
    await callArrived()
    process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(75)
    expect(io.stderr.plain).toContain('The daemon ended during tools/call')
    expect(io.stderr.plain).toContain('code:  daemon_restarted')
  })

  test('ends a watch with daemon_unavailable', async () => {
    const io = home.io()
    const ended = main(['status', '--watch'], io)
    await waitFor(() => io.stdout.plain.includes('a ready'))
    process.kill(pid, 'SIGKILL')
    expect(await ended).toBe(69)
    expect(io.stderr.plain).toContain(`The daemon (pid ${pid}) is gone.`)
  })

  test.skipIf(isWindows)('or does not answer is told, with the way around it', async () => {
    process.kill(pid, 'SIGSTOP')
    const { code, err } = await home.run(['status'])
    expect(code).toBe(69)
    expect(err).toContain('is there but does not answer.')
    expect(err).toContain('--no-daemon')
    expect((await home.run(['status', 'a', '--no-daemon'])).code).toBe(0)
  })
})

describe('server', () => {
  test('restart gives the server a new process', async () => {
    expect((await home.run(['status', 'a'])).out).toContain('● ready')
    const { code, out } = await home.run(['server', 'restart', 'a'])
    expect(code).toBe(0)
    expect(out).toBe('restarting a; switchboard status a shows how it goes\n')
    await waitFor(async () => (await starts()) === 2)
    expect((await home.run(['server', 'restart', 'b'])).code).toBe(2)
  })

  test('restart without a daemon says how to get one', async () => {
    await daemon.json(['down'])
    const { code, err } = await home.run(['server', 'restart', 'a'])
    expect(code).toBe(69)
    expect(err).toContain('No daemon is running, so there is no "a" to restart.')
    expect(err).toContain('switchboard up')
  })

  test('add, disable, enable and remove say what the daemon has made of them', async () => {
    const { command, args } = fixtureCommand({})
    expect((await home.run(['server', 'add', 'b', '--', command, ...args])).out).toMatch(
      /the daemon runs it: \d+ tools/,
    )
    expect((await home.run(['tools', 'b'])).out).toContain('b_echo')
    expect((await home.run(['server', 'disable', 'b'])).out).toContain('the daemon has applied it')
    expect((await home.run(['status', 'b'])).out).toContain('disabled')
    expect(JSON.parse((await home.run(['server', 'enable', 'b', '--json'])).out)).toMatchObject({
      live: true,
      server: { state: 'ready', tools: expect.any(Number) },
    })
    expect((await home.run(['server', 'remove', 'b'])).out).toContain('the daemon has applied it')
    expect((await home.run(['status', 'b'])).code).toBe(2)
    await daemon.json(['down'])
    expect((await home.run(['server', 'remove', 'lazy'])).out).not.toContain('the daemon')
  })

  test('add says why the daemon does not run what was added, and where a variable is missing', async () => {
    const { command, args } = fixtureCommand({})
    const unset = 'T=$' + '{SWITCHBOARD_TEST_NOT_SET}'
    const add = ['server', 'add', 'v', '-e', unset, '--', command, ...args]
    const { code, out } = await home.run(add, { env: { SWITCHBOARD_TEST_NOT_SET: 'here' } })
    expect(code).toBe(0)
    expect(out).toContain('the daemon does not run it: ')
    expect(out).toContain('the variable SWITCHBOARD_TEST_NOT_SET is not set')
    expect(out).toContain('SWITCHBOARD_TEST_NOT_SET is set here, and not where the daemon was started')
    const called = await home.run(['call', 'v_echo', '-a', 'text=x'])
    expect(called.code).toBe(69)
    expect(called.err).toMatch(/The server v is misconfigured: .+SWITCHBOARD_TEST_NOT_SET is not set/)
    const missing = await home.run(['server', 'add', 'm', '--json', '--', 'no-such-program-here'])
    expect(JSON.parse(missing.out)).toMatchObject({ live: true, server: { state: 'not_installed' } })
    // The others go on, also from the next start on.
    await daemon.json(['down'])
    await daemon.up()
    const { out: status } = await home.run(['status'])
    expect(status).toMatch(/ {2}a +● ready/)
    expect(status).toMatch(/ {2}v +✗ misconfigured/)
    expect(status).toContain('SWITCHBOARD_TEST_NOT_SET is not set')
    const { findings } = JSON.parse((await home.run(['doctor', '--json'])).out)
    const cure = 'Set SWITCHBOARD_TEST_NOT_SET where the daemon is started; then: switchboard restart'
    const message = expect.stringContaining('v is misconfigured')
    expect(findings).toContainEqual(expect.objectContaining({ check: 'servers', level: 'error', message, cure }))
  })

  test('a change of a file that is refused for something else says so, exit 64', async () => {
    await writeFile(home.configFile, '{"mcpServers": {}, "modes": {}, "gateway": {"modeForHttp": "x"}}')
    const { code, err, out } = await home.run(['server', 'add', 'b', '--', 'x'])
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toContain('there is no mode "x"')
    const { findings } = JSON.parse((await home.run(['doctor', '--json'])).out)
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'configuration',
        level: 'error',
        message: expect.stringContaining('no mode "x"'),
      }),
    )
  })
})

describe('status --watch', () => {
  test('shows the servers as they are, then every change, and leaves the daemon running', async () => {
    const io = home.io()
    const ended = main(['status', '--watch'], io)
    const seen = (text: string) => waitFor(() => io.stdout.plain.includes(text), { what: text })
    await seen('a ready (pid')
    await home.run(['server', 'disable', 'a'])
    await seen('configuration applied: ~a')
    await home.run(['call', 'lazy_echo', '-a', 'text=x'])
    await seen('lazy ready (pid')
    await seen('attached')
    await seen('detached')
    await home.configure({ mcpServers: {}, gateway: { maxInFlight: 9 }, daemon: { tcp: { port: 0 } } })
    await seen('configuration applied: -a -lazy gateway daemon profiles; some of it holds after switchboard restart')
    io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await ended).toBe(0)
    expect(await isAlive(pid)).toBe(true)
  })

  test('with --json begins with a snapshot; every line is an object', async () => {
    const io = home.io()
    const ended = main(['status', '--watch', '--json'], io)
    await waitFor(() => io.stdout.plain.includes('"snapshot"'))
    await writeFile(home.configFile, '{')
    await waitFor(() => io.stdout.plain.includes('configuration_refused'))
    io.interrupt({ kind: 'signal', signal: 'SIGINT' })
    expect(await ended).toBe(0)
    const events = io.stdout.plain
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ type: 'snapshot', daemon: { pid } })
    expect(events.at(-1)).toMatchObject({ type: 'configuration_refused', error: { code: 'invalid_configuration' } })
  })

  test('on a terminal shows daemon and windows, obeys its keys, and q leaves the daemon running', async () => {
    // One that is just starting, to be looked at for the first time, would stand above the one that is meant.
    const states = async () => JSON.parse((await home.run(['status', '--json'])).out).servers
    await waitFor(async () => (await states()).every(({ state }: { state: string }) => state !== 'starting'))
    const io = home.io({ isTTY: true, columns: 120 })
    const ended = main(['status', '--watch'], io)
    await waitFor(() => io.stdout.plain.includes('● ready'))
    expect(io.stdout.plain).toContain(`● daemon ${VERSION}, pid ${pid}`)
    io.stdin.write('r')
    await waitFor(async () => (await starts()) === 2)
    io.stdin.write('q')
    expect(await ended).toBe(0)
    expect(io.stdout.plain).toContain('The daemon goes on running.')
    expect(await isAlive(pid)).toBe(true)
  })

  test('ends well when the daemon is stopped by somebody', async () => {
    const io = home.io({ isTTY: true, columns: 120 })
    const ended = main(['status', '--watch'], io)
    await waitFor(() => io.stdout.plain.includes('● ready'))
    await daemon.json(['down'])
    expect(await ended).toBe(0)
    expect(io.stdout.plain).toContain('The daemon has stopped.')
  })
})
