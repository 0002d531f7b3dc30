/** What only a process of its own can show: signals, broken pipes, a sudden death, a real terminal. */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  createLeakCheck,
  expectNoProcessLeft,
  fixtureCommand,
  readJournal,
  waitFor,
  waitForJournal,
} from '@switchboard/testkit'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildProgram, PROGRAM, startProgram } from './program.ts'
import { TestHome } from './run-main.ts'

const run = promisify(execFile)
const isWindows = process.platform === 'win32'
const leaks = createLeakCheck()
let home: TestHome
let journal: string
let marker: string

beforeAll(buildProgram)
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

const callArrived = () => waitForJournal(journal, ({ message }) => message?.method === 'tools/call')
const receivedMethods = async () => (await readJournal(journal)).map(({ message }) => message?.method)

test('the program runs through bin and by itself, and ends with the exit code of its command', async () => {
  expect((await run(process.execPath, [PROGRAM, '--version'])).stdout).toMatch(/^switchboard \d/)
  const failed = startProgram(['stats'], home.path)
  expect(await failed.ended).toBe(2)
  expect(failed.err()).toContain('Did you mean status?')
  const echoed = startProgram(['call', 'a_echo', '{"text":"hi"}'], home.path)
  expect(await echoed.ended).toBe(0)
  expect(echoed.out()).toBe('hi\n')
})

describe.skipIf(isWindows)('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s cancels the call on the server, stops the server and ends with %i', async (signal, code) => {
    const program = startProgram(['call', 'a_slow', '-a', 'ms=60000'], home.path)
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
    const program = startProgram(['call', 'a_slow', '-a', 'ms=60000'], home.path)
    await callArrived()
    program.child.kill('SIGINT')
    await waitForJournal(journal, ({ event }) => event === 'eof')
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(130)
    expect((await home.run(['logs', '--cat', 'cli.interrupt'])).out).toContain('the servers are killed, not waited for')
  })

  test('ends a watch in good order: 0 for Ctrl-C', async () => {
    const program = startProgram(['status', '--watch'], home.path)
    await waitFor(() => program.out().includes('a ready'))
    program.child.kill('SIGINT')
    expect(await program.ended).toBe(0)
  })

  test('with --json a cancelled call is still one object', async () => {
    const program = startProgram(['call', 'a_slow', '-a', 'ms=60000', '--json'], home.path)
    await callArrived()
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(143)
    expect(JSON.parse(program.out())).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  })
})

test.skipIf(isWindows)('kill -9 leaves no server behind, nor what it started', async () => {
  const program = startProgram(['status', '--watch'], home.path)
  await waitFor(() => program.out().includes('a ready'))
  program.child.kill('SIGKILL')
  await program.ended
  await expectNoProcessLeft(marker, 10_000)
})

describe('a reader that goes away', () => {
  test('ends logs quietly', async () => {
    for (let index = 0; index < 3; index++) await home.run(['server', 'list'])
    const program = startProgram(['logs', '-f', '--json'], home.path)
    await once(program.child.stdout, 'data')
    program.child.stdout.destroy()
    // The next line finds the pipe broken.
    await home.run(['server', 'list'])
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
    const program = startProgram(['status', '--watch'], home.path)
    await waitFor(() => program.out().includes('a ready'))
    program.child.stdout.destroy()
    await home.configure({ mcpServers: {} })
    expect(await program.ended).toBe(0)
  })
})

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0

/** Runs the program on a terminal of its own, and types `keys[i]` when `prompts[i]` has appeared. */
const ON_A_TERMINAL = `
import json, os, pty, sys
steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
text, at = b'', 0
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        break
    if not chunk:
        break
    text += chunk
    while steps and steps[0][0].encode() in text[at:]:
        at = text.index(steps[0][0].encode(), at) + len(steps[0][0].encode())
        os.write(terminal, steps.pop(0)[1].encode())
sys.stdout.buffer.write(text)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`

async function runOnTerminal(argv: readonly string[], steps: readonly (readonly [string, string])[]) {
  const env = { ...process.env, SWITCHBOARD_HOME: home.path, TERM: 'xterm-256color', NO_COLOR: '1' }
  const args = ['-c', ON_A_TERMINAL, JSON.stringify(steps), process.execPath, PROGRAM, ...argv]
  const outcome = await run('python3', args, { env, cwd: home.path }).catch((error) => error)
  return { code: Number(outcome.code ?? 0), text: String(outcome.stdout) }
}

describe.skipIf(!hasPython)('on a real terminal (needs python3 for the terminal)', () => {
  test('a form is asked and answered', async () => {
    const { code, text } = await runOnTerminal(['call', 'a_ask', '-a', 'message=Who?'], [['answer (text): ', 'Ada\r']])
    expect(code).toBe(0)
    expect(text).toContain('[{"action":"accept","content":{"answer":"Ada"}}]')
  })

  test('Ctrl-C at a question cancels the call', async () => {
    const { code } = await runOnTerminal(['call', 'a_ask', '-a', 'message=Who?'], [['answer (text): ', '\x03']])
    expect(code).toBe(130)
    expect(await receivedMethods()).toContain('notifications/cancelled')
  })

  test('Ctrl-C during a call cancels it', async () => {
    const { code } = await runOnTerminal(
      ['call', 'a_slow', '-a', 'ms=60000', '-a', 'steps=2000'],
      [['step 2 of', '\x03']],
    )
    expect(code).toBe(130)
    expect(await receivedMethods()).toContain('notifications/cancelled')
  })

  test('the live view ends with q, the cursor visible again', async () => {
    const { code, text } = await runOnTerminal(['status', '--watch'], [['● ready', 'q']])
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
