/** `up --foreground` and `npm start`: what it prints, on a terminal and without one, and what it leaves. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  fixtureCommand,
  hasTerminal,
  isAlive,
  PROGRAM,
  runOnTerminal,
  type TerminalStep,
  waitFor,
  waitForJournal,
} from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAEMON_ENV, DaemonHome } from '../daemon-home.ts'

const isWindows = process.platform === 'win32'
let daemon: DaemonHome
let journal: string

beforeEach(async () => {
  daemon = await DaemonHome.create()
  journal = daemon.home.file('journal.jsonl')
  await daemon.home.configure({ mcpServers: { a: fixtureCommand({ journal }) } })
})
afterEach(() => daemon.dispose())

const ready = (text: () => string) => waitFor(() => text().includes('a ready (pid'), { timeout: 30_000 })

describe.skipIf(isWindows)('without a terminal', () => {
  test('it prints where it is and how to connect, then a line for every change, and no control codes', async () => {
    const program = daemon.start(['up', '--foreground'], { FORCE_COLOR: '0' })
    await ready(program.out)
    expect(program.out()).toMatch(/^Switchboard \d+\.\d+\.\d+ {2}● running; Ctrl-C stops it/)
    expect(program.out()).toMatch(/address {2}http:\/\/127\.0\.0\.1:\d+\/mcp\n/)
    expect(program.out()).toContain('Connect your agents\n')
    expect(program.out()).toContain(`${PROGRAM} mcp --home ${daemon.home.path}\n`)
    await daemon.run(['call', 'a_echo', '-a', 'text=x'])
    await waitFor(() => program.out().includes('detached'))
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(0)
    expect(program.out()).not.toContain('\x1b')
    expect(program.err()).toBe('')
    await daemon.expectNothingLeft()
  })

  test('with --json every line is an object, the first one all that is known', async () => {
    const program = daemon.start(['up', '--foreground', '--json'])
    await waitFor(() => program.out().includes('"snapshot"'), { timeout: 30_000 })
    await daemon.run(['call', 'a_echo', '-a', 'text=x'])
    await waitFor(() => program.out().includes('instance_detached'))
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(143)
    const events = program
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ type: 'snapshot', daemon: { pid: program.pid }, servers: [{ name: 'a' }] })
    await daemon.expectNothingLeft()
  })

  test('is ended by down, and ends well', async () => {
    const program = daemon.start(['up', '--foreground'])
    await ready(program.out)
    expect(await daemon.json(['down'])).toMatchObject({ stopped: true, pid: program.pid })
    expect(await program.ended).toBe(0)
    await daemon.expectNothingLeft()
  })

  test('a second Ctrl-C does not wait for a call', async () => {
    const program = daemon.start(['up', '--foreground'])
    await ready(program.out)
    const call = daemon.start(['call', 'a_slow', '-a', 'ms=60000'])
    await waitForJournal(journal, ({ message }) => message?.method === 'tools/call')
    program.child.kill('SIGINT')
    await waitFor(() => program.out().includes('stopping: calls under way may finish'))
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(0)
    expect(await call.ended).not.toBe(0)
    await daemon.expectNothingLeft()
  })

  test('shows a daemon that runs already, and leaves it running', async () => {
    const pid = await daemon.up()
    const program = daemon.start(['up', '--foreground'])
    await ready(program.out)
    expect(program.out()).toContain(`a daemon runs already (pid ${pid}): this shows it, Ctrl-C leaves it running`)
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(0)
    expect(await isAlive(pid)).toBe(true)
    expect(await daemon.daemonPid()).toBe(pid)
  })

  test('two at once: one is the daemon, the other shows it', async () => {
    const programs = [daemon.start(['up', '-f']), daemon.start(['up', '-f'])]
    for (const program of programs) await ready(program.out)
    const pid = await daemon.daemonPid()
    const other = programs.find((program) => program.pid !== pid)
    expect(other?.out()).toContain(`a daemon runs already (pid ${pid})`)
    for (const program of programs) program.child.kill('SIGINT')
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0])
    await daemon.expectNothingLeft()
  })

  test('kill -9 leaves no server behind, and the next one starts', async () => {
    const program = daemon.start(['up', '--foreground'])
    await ready(program.out)
    program.child.kill('SIGKILL')
    await once(program.child, 'close')
    expect(await daemon.json(['up'])).toMatchObject({ alreadyRunning: false })
  })

  test('a configuration that is wrong is told with its place, exit 64', async () => {
    await daemon.home.configure('{"mcpServrs": {}}')
    const { code, err } = await daemon.run(['up', '--foreground'])
    expect(code).toBe(64)
    expect(err).toContain('Did you mean "mcpServers"?')
    await daemon.expectNothingLeft()
  })
})

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const NPM_START = [process.execPath, fileURLToPath(new URL('../../../../scripts/run.mjs', import.meta.url)), 'start']
const UP = [process.execPath, PROGRAM, 'up', '--foreground']

function onTerminal(
  command: readonly string[],
  steps: readonly TerminalStep[],
  size = '24x80',
  onStep?: (count: number) => void,
) {
  const [rows, columns] = size.split('x').map(Number)
  return runOnTerminal(command, steps, {
    cwd: root,
    env: { ...DAEMON_ENV, SWITCHBOARD_HOME: daemon.path },
    ...(rows === undefined || columns === undefined ? {} : { rows, columns }),
    ...(onStep === undefined ? {} : { onStep }),
  })
}

test.skipIf(isWindows)(
  'npm start ends with everything when npm is told to end, although its shell passes nothing on',
  async () => {
    // The shell must not become the program itself, so there is something to do after it; npm signals the shell alone.
    const [node = '', ...args] = NPM_START
    const env = { ...process.env, ...DAEMON_ENV, SWITCHBOARD_HOME: daemon.path, npm_lifecycle_event: 'start' }
    const shell = spawn('sh', ['-c', '"$0" "$@"; true', node, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    shell.stdout.on('data', (chunk) => {
      out += chunk
    })
    await ready(() => out)
    const pid = (await daemon.daemonPid()) ?? 0
    expect(pid).not.toBe(0)
    const closed = once(shell, 'close')
    shell.kill('SIGTERM')
    await waitFor(async () => !(await isAlive(pid)), { timeout: 30_000, what: 'the daemon to end' })
    await closed
    await daemon.expectNothingLeft()
  },
)

describe.skipIf(!hasTerminal())('on a real terminal (needs python3 for the terminal)', () => {
  test('npm start shows the address, how to connect and the servers live; Ctrl-C stops everything', async () => {
    const { code, text } = await onTerminal(NPM_START, [['● ready', '\x03']])
    expect(code).toBe(0)
    expect(text).toMatch(/address {2}http:\/\/127\.0\.0\.1:\d+\/mcp/)
    expect(text).toContain('Connect your agents')
    expect(text).toContain('q stop')
    expect(text).toContain('Everything is stopped.')
    expect(text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(text.lastIndexOf('\x1b[?25l'))
    await daemon.expectNothingLeft()
  })

  test('a home without servers is greeted with the command that adds one, whole, and shows it when it is there', async () => {
    await daemon.home.configure({ mcpServers: {} })
    const greeting = 'No servers yet: what you add shows up here at once.'
    let steps = 0
    const shown = onTerminal(
      UP,
      [
        [greeting, ''],
        ['a ready (pid', 'q'],
      ],
      '24x80',
      (count) => {
        steps = count
      },
    )
    // Not before the person is greeted: a daemon is there a moment earlier.
    await waitFor(() => steps > 0, { timeout: 30_000 })
    const { command, args } = fixtureCommand({})
    await daemon.run(['server', 'add', 'a', '--', command, ...args])
    const { code, text } = await shown
    expect(code).toBe(0)
    expect(text).toContain(
      `${process.execPath} ${PROGRAM} --home ${daemon.home.path} server add everything -- npx -y @modelcontextprotocol/`,
    )
    await daemon.expectNothingLeft()
  })

  test.each(['24x80', '10x40', '8x24'])('its live part stays within %s', async (size) => {
    const { code, text } = await onTerminal(UP, [['● ready', 'q']], size)
    expect(code).toBe(0)
    const [rows, columns] = size.split('x').map(Number)
    const frames = text.split('\x1b[?2026h').slice(1)
    expect(frames.length).toBeGreaterThan(0)
    for (const frame of frames) {
      const [drawn = ''] = frame.split('\x1b[?2026l')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
      const lines = drawn.replace(/\x1b\[[?0-9;]*[A-Za-z]/g, '').split(/\r?\n/)
      expect(Math.max(...lines.map((line) => [...line.replaceAll('\r', '')].length))).toBeLessThan(columns ?? 0)
      expect(lines.length).toBeLessThanOrEqual(rows ?? 0)
    }
  })

  test('q leaves a daemon that ran before', async () => {
    const pid = await daemon.up()
    const { code, text } = await onTerminal(UP, [['● ready', 'q']])
    expect(code).toBe(0)
    expect(text).toContain(`The daemon (pid ${pid}) goes on running.`)
    expect(await isAlive(pid)).toBe(true)
  })
})
