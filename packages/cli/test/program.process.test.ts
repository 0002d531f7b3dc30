/** What only a process of its own can show: signals, broken pipes, a sudden death, a real terminal. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createLeakCheck,
  expectNoProcessLeft,
  fixtureCommand,
  hasTerminal,
  type PipedProgram,
  PROGRAM,
  readJournal,
  runOnTerminal,
  startProgram,
  type TerminalStep,
  waitFor,
  waitForJournal,
} from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestHome } from './run-main.ts'

const run = promisify(execFile)
const isWindows = process.platform === 'win32'
const leaks = createLeakCheck()
let home: TestHome
let journal: string
let marker: string

beforeEach(async () => {
  await leaks.begin()
  home = await TestHome.create()
  journal = home.file('journal.jsonl')
  marker = `cli-program-${process.pid}-${Math.random().toString(36).slice(2)}`
  await home.configure({ mcpServers: { a: fixtureCommand({ journal, marker, grandchild: {} }) } })
})
afterEach(async () => {
  await leaks.check()
  await expectNoProcessLeft(marker)
  await home[Symbol.asyncDispose]()
})

const start = (argv: readonly string[]): PipedProgram => startProgram(argv, { home: home.path, stdin: 'ended' })
const callArrived = () => waitForJournal(journal, ({ message }) => message?.method === 'tools/call')
const receivedMethods = async () => (await readJournal(journal)).map(({ message }) => message?.method)

test('the program runs through bin and by itself, and ends with the exit code of its command', async () => {
  expect((await run(process.execPath, [PROGRAM, '--version'])).stdout).toMatch(/^switchboard \d/)
  const failed = start(['stats'])
  expect(await failed.ended).toBe(2)
  expect(failed.err()).toContain('Did you mean status?')
  const echoed = start(['call', 'a_echo', '{"text":"hi"}'])
  expect(await echoed.ended).toBe(0)
  expect(echoed.out()).toBe('hi\n')
})

describe.skipIf(isWindows)('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s cancels the call on the server, stops the server and ends with %i', async (signal, code) => {
    const program = start(['call', 'a_slow', '-a', 'ms=60000'])
    await callArrived()
    program.child.kill(signal)
    expect(await program.ended).toBe(code)
    expect(await receivedMethods()).toContain('notifications/cancelled')
    expect(program.err()).toContain('cancelled: a_slow: the server was told')
  })

  test('again does not wait for a server that takes its time to end', async () => {
    await home.configure({
      mcpServers: { a: fixtureCommand({ journal, marker, ignoreEof: true, ignoreSignals: true }) },
    })
    const program = start(['call', 'a_slow', '-a', 'ms=60000'])
    await callArrived()
    program.child.kill('SIGINT')
    await waitForJournal(journal, ({ event }) => event === 'eof')
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(130)
    expect((await home.run(['logs', '--cat', 'cli.interrupt'])).out).toContain('the servers are killed, not waited for')
  })

  test('ends a watch in good order: 0 for Ctrl-C', async () => {
    const program = start(['status', '--no-daemon', '--watch'])
    await waitFor(() => program.out().includes('a ready'))
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(0)
  })

  test('with --json a cancelled call is still one object', async () => {
    const program = start(['call', 'a_slow', '-a', 'ms=60000', '--json'])
    await callArrived()
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(143)
    expect(JSON.parse(program.out())).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  })
})

test.skipIf(isWindows)('kill -9 leaves no server behind, nor what it started', async () => {
  const program = start(['status', '--no-daemon', '--watch'])
  await waitFor(() => program.out().includes('a ready'))
  program.child.kill('SIGKILL')
  await program.ended
  await expectNoProcessLeft(marker)
})

describe('a reader that goes away', () => {
  test('ends logs quietly', async () => {
    // At this level each run leaves its lines.
    const leaveLines = () => home.run(['server', 'list'], { env: { SWITCHBOARD_LOG_LEVEL: 'debug' } })
    for (let index = 0; index < 3; index++) await leaveLines()
    const program = start(['logs', '-f', '--json'])
    await once(program.child.stdout, 'data')
    program.child.stdout.destroy()
    // The next line finds the pipe broken.
    await leaveLines()
    expect(await program.ended).toBe(0)
    expect(program.err()).toBe('')
  })

  test.skipIf(isWindows)('ends a command in the middle of long output (| head)', async () => {
    const directory = home.file('logs')
    await mkdir(directory)
    const line = `{"ts":"2026-01-31T08:00:00.000Z","level":"info","cat":"x","inst":"aaaa-000001","msg":"${'long '.repeat(200)}"}\n`
    await writeFile(join(directory, 'cli-aaaa-000001.log'), line.repeat(20_000))
    const command = `"$0" "$1" logs --limit 20000 | head -n 2; echo "ended with \${PIPESTATUS[0]}"`
    const env = { ...process.env, SWITCHBOARD_HOME: home.path }
    const { stdout, stderr } = await run('bash', ['-c', command, process.execPath, PROGRAM], { env })
    expect(stdout.trim().split('\n')).toHaveLength(3)
    expect(stdout).toContain('ended with 0')
    expect(stderr).toBe('')
  })

  test('ends a watch, and its servers', async () => {
    const program = start(['status', '--no-daemon', '--watch'])
    await waitFor(() => program.out().includes('a ready'))
    program.child.stdout.destroy()
    await home.configure({ mcpServers: {} })
    expect(await program.ended).toBe(0)
  })
})

function onTerminal(argv: readonly string[], steps: readonly TerminalStep[]) {
  return runOnTerminal([process.execPath, PROGRAM, ...argv], steps, {
    cwd: home.path,
    env: { SWITCHBOARD_HOME: home.path },
  })
}

describe.skipIf(!hasTerminal())('on a real terminal (needs python3 for the terminal)', () => {
  test('a form is asked and answered', async () => {
    const { code, text } = await onTerminal(['call', 'a_ask', '-a', 'message=Who?'], [['answer (text): ', 'Ada\r']])
    expect(code).toBe(0)
    expect(text).toContain('[{"action":"accept","content":{"answer":"Ada"}}]')
  })

  test('Ctrl-C at a question cancels the call', async () => {
    const { code } = await onTerminal(['call', 'a_ask', '-a', 'message=Who?'], [['answer (text): ', '\x03']])
    expect(code).toBe(130)
    expect(await receivedMethods()).toContain('notifications/cancelled')
  })

  test('Ctrl-C during a call cancels it', async () => {
    const { code } = await onTerminal(['call', 'a_slow', '-a', 'ms=60000', '-a', 'steps=2000'], [['step 2 of', '\x03']])
    expect(code).toBe(130)
    expect(await receivedMethods()).toContain('notifications/cancelled')
  })

  test('the live view ends with q, the cursor visible again', async () => {
    const { code, text } = await onTerminal(['status', '--no-daemon', '--watch'], [['● ready', 'q']])
    expect(code).toBe(0)
    expect(text).toContain('All servers are stopped.')
    expect(text.lastIndexOf('\x1b[?25h')).toBeGreaterThan(text.lastIndexOf('\x1b[?25l'))
  })
})

test.skipIf(isWindows)('the completion script is valid bash', async () => {
  const { stdout } = await run(process.execPath, [PROGRAM, 'completion', 'bash'])
  const complete = `${stdout}\nCOMP_WORDS=(switchboard server re); COMP_CWORD=2; _switchboard; echo "\${COMPREPLY[@]}"`
  expect((await run('bash', ['-c', complete])).stdout.trim()).toBe('remove restart')
})
