/** Programs that run already, and programs that must be built first. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createLeakCheck,
  createTemporaryDirectory,
  descendantsOf,
  findFreePort,
  isAlive,
  listProcesses,
  type TemporaryDirectory,
  waitFor,
  watchProgram,
} from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PythonRuntimes } from '../../../src/dap/engines/python-runtime.ts'
import type { Attach, Launch, StartContext } from '../../../src/engine/debug-session.ts'
import { compile } from '../../contract/compile.ts'
import { findEngine, removeEngineCache, startGuard } from '../../contract/find-engine.ts'
import { breakpoint, Recorder, readMarks } from '../../contract/recorder.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url))
const signal = new AbortController().signal
const python = findEngine('debugpy')
const lldb = findEngine('lldb-dap')
const delve = findEngine('delve')
const rdbg = findEngine('rdbg')
const [hasPython, hasLldb, hasDelve, hasRdbg] = (
  await Promise.all([python, lldb, delve, rdbg].map((engine) => engine.locate()))
).map(({ found }) => found)

const leaks = createLeakCheck()
const running: ChildProcess[] = []
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await createTemporaryDirectory('switchboard-attach-')
  await startGuard()
})
afterAll(async () => {
  await removeEngineCache()
  await folder.remove()
})
beforeEach(() => leaks.begin())
afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  await leaks.check()
})

/** Resolves when the program runs, and its debugger listens where that says so by itself. */
async function runEndless(command: string, args: readonly string[]): Promise<ChildProcess & { pid: number }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const program = watchProgram(child)
  await program.waitForText('spinning')
  // rdbg opens its port in a thread of its own: the program may be faster.
  if (args.includes('--open')) {
    await waitFor(() => program.err().includes('Debugger can attach via'), { timeout: 30_000, what: program.err() })
  }
  // It printed something, so it has a number.
  return child as ChildProcess & { pid: number }
}

function launch(program: string, more: Partial<Launch> = {}): Launch {
  return { kind: 'launch', program, args: [], cwd: folder.path, env: {}, stopOnEntry: false, options: {}, ...more }
}

/** A program that has its debugger with it. */
interface Command {
  readonly engine: string
  /** Below `fixtures`. */
  readonly source: string
  readonly command: string
  readonly args: readonly string[]
  readonly port: number
}

const context = { workspace: fixtures, signal, log: () => {} }

async function attachAndDetach(
  engineName: string,
  request: Attach,
  source: string,
  pid: number,
  start: StartContext = context,
): Promise<void> {
  const recorder = new Recorder(await findEngine(engineName).start(request, start))
  await recorder.session.setBreakpoints(source, [breakpoint(readMarks(source)('endless'))])
  await recorder.session.run()
  const stop = await recorder.nextStop()
  const at = stop.reason === 'breakpoint' ? stop : await waitForBreakpoint(recorder, stop.threadId)
  const frame = await recorder.topUserFrame(at.threadId)
  expect(frame.place).toMatchObject({ path: source, line: readMarks(source)('endless') })
  await recorder.session.stop()
  expect(recorder.events.at(-1)).toEqual({ type: 'terminated' })
  expect(await isAlive(pid)).toBe(true)
}

/** Some debuggers stop for the attaching itself, and tell it more than once. */
async function waitForBreakpoint(recorder: Recorder, threadId: number) {
  for (let standing = threadId; ; ) {
    // What is told a second time may be over already, and so may the next stop that it was taken for.
    await recorder.session.continue(standing).catch(() => undefined)
    const stop = await recorder.nextStop()
    standing = stop.threadId
    if (stop.reason !== 'breakpoint') continue
    if ((await recorder.top(standing).catch(() => undefined)) !== undefined) return stop
  }
}

/** Its debugger is slow to look for the next command, as on a busy machine. */
const LATE_RUBY = `module Late
  def wait_command_loop(thread)
    sleep 0.2
    super
  end
end
DEBUGGER__::Session.prepend(Late)
$stdout.sync = true
puts 'spinning'
loop do
  puts 'turn' # mark: endless
  sleep 0.01
end
`

describe('attaching, and letting go again', () => {
  test.skipIf(!hasLldb)('works for a C++ program by its pid (needs lldb)', async () => {
    const source = join(fixtures, 'cpp', 'app.cpp')
    const program = folder.file('cpp-app')
    await compile('g++', ['-g', '-O0', '-pthread', '-o', program, source], folder.path)
    const { pid } = await runEndless(program, ['endless'])
    await attachAndDetach('lldb-dap', { kind: 'attach', pid, cwd: folder.path, options: { program } }, source, pid)
  })

  test.skipIf(!hasDelve)('works for a Go program by its pid (needs delve)', { timeout: 400_000 }, async () => {
    const source = join(fixtures, 'go', 'app.go')
    const program = folder.file('go-app')
    await compile('go', ['build', '-gcflags=all=-N -l', '-o', program, '.'], join(fixtures, 'go'))
    const { pid } = await runEndless(program, ['endless'])
    await attachAndDetach('delve', { kind: 'attach', pid, cwd: folder.path, options: {} }, source, pid)
  })

  const byPort = async (
    language: string,
    started: Command,
    program: (pid: number) => Promise<number>,
  ): Promise<void> => {
    const [engine, source] = [started.engine, join(fixtures, started.source)]
    const child = await runEndless(started.command, started.args)
    const pid = await program(child.pid)
    const request: Attach = { kind: 'attach', port: started.port, cwd: folder.path, options: {} }
    await attachAndDetach(engine, request, source, pid)
    // Nobody holds it: it runs, and a second debugger is welcome.
    const isRunning = async (): Promise<boolean> =>
      (await listProcesses()).some((found) => found.pid === pid && /^[RS]/.test(found.state))
    await waitFor(isRunning, { timeout: 20_000, what: `the ${language} program to run on` })
    const again = new Recorder(await findEngine(engine).start(request, context))
    await again.session.stop({ kill: true })
    await waitFor(async () => !(await isAlive(pid)), { timeout: 20_000 })
  }

  test.skipIf(!hasPython)('works for a Python program by the port of its debugpy (needs debugpy)', async () => {
    const port = await findFreePort()
    const debuggable = await new PythonRuntimes(folder.file('cache')).findDebugger()
    const source = 'python/app.py'
    const args = ['-m', 'debugpy', '--listen', `127.0.0.1:${port}`, join(fixtures, source), 'endless']
    const command = debuggable?.executable ?? ''
    await byPort('Python', { engine: 'debugpy', source, command, args, port }, async (pid) => pid)
  })

  test.skipIf(!hasDelve)(
    'works for a Go program by the port of its delve (needs delve)',
    { timeout: 400_000 },
    async () => {
      const port = await findFreePort()
      const source = 'go/app.go'
      const program = folder.file('go-port-app')
      await compile('go', ['build', '-gcflags=all=-N -l', '-o', program, '.'], join(fixtures, 'go'))
      const listen = ['--headless', '--accept-multiclient', '--continue', `--listen=127.0.0.1:${port}`]
      const args = ['exec', ...listen, '--check-go-version=false', program, '--', 'endless']
      await byPort('Go', { engine: 'delve', source, command: 'dlv', args, port }, async (pid) => {
        const below = await waitFor(async () =>
          (await descendantsOf(pid)).find(({ command }) => command.includes(program)),
        )
        return below.pid
      })
    },
  )

  const rdbgAt = async (port: number, ...program: string[]): Promise<{ command: string; args: string[] }> => {
    const located = await rdbg.locate()
    const args = ['--open', '--nonstop', `--port=${port}`, ...program]
    return { command: located.found ? located.what : '', args }
  }

  test.skipIf(!hasRdbg)('works for a Ruby program by the port of its rdbg (needs rdbg)', async () => {
    const port = await findFreePort()
    const source = 'ruby/app.rb'
    const started = await rdbgAt(port, join(fixtures, source), 'endless')
    await byPort('Ruby', { engine: 'rdbg', source, ...started, port }, async (pid) => pid)
  })

  test.skipIf(!hasRdbg)(
    'leaves a Ruby program running whose debugger learns late that we go (needs rdbg)',
    async () => {
      const port = await findFreePort()
      const program = folder.file('late.rb')
      await writeFile(program, LATE_RUBY)
      const { command, args } = await rdbgAt(port, program)
      const child = await runEndless(command, args)
      const said = watchProgram(child)
      const request: Attach = { kind: 'attach', port, cwd: folder.path, options: {} }
      await attachAndDetach('rdbg', request, program, child.pid, { ...context, workspace: folder.path })
      const turns = (): number => said.out().split('turn').length
      const before = turns()
      const runsOn = (): boolean => child.exitCode !== null || turns() > before + 2
      await waitFor(runsOn, { timeout: 30_000, what: 'the program to run on' })
      expect([child.exitCode, said.err()]).toEqual([null, expect.not.stringContaining('NoMethodError')])
      // What a debugger says last counts, also when it is heard late.
      const again = new Recorder(await rdbg.start(request, context))
      await again.session.stop({ kill: true })
      await waitFor(async () => !(await isAlive(child.pid)), { timeout: 20_000 })
    },
  )

  test('to nobody says where nobody answers', async () => {
    const port = await findFreePort()
    const request: Attach = { kind: 'attach', port, cwd: folder.path, options: {} }
    for (const name of ['debugpy', 'delve', 'rdbg']) {
      await expect(findEngine(name).start(request, context)).rejects.toMatchObject({
        code: 'E_LAUNCH_FAILED',
        message: expect.stringContaining(`127.0.0.1:${port}`),
      })
    }
  })

  test.each(['debugpy', 'lldb-dap', 'delve'])('to a process that is gone is refused at once: %s', async (name) => {
    const { pid = 0 } = spawnSync(process.execPath, ['-e', ''])
    const attaching = findEngine(name).start({ kind: 'attach', pid, cwd: folder.path, options: {} }, context)
    await expect(attaching).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: `There is no process ${pid} on this machine, so it cannot be attached to.`,
    })
  })

  test('without a target says what to give', async () => {
    const request: Attach = { kind: 'attach', cwd: folder.path, options: {} }
    const there = { debugpy: hasPython, 'lldb-dap': hasLldb, delve: hasDelve, rdbg: true }
    for (const [name, isThere] of Object.entries(there)) {
      const code = isThere ? 'invalid_arguments' : 'E_ADAPTER_MISSING'
      await expect(findEngine(name).start(request, context)).rejects.toMatchObject({ code })
    }
  })
})

describe.skipIf(!hasPython)('Python (needs debugpy)', () => {
  test('of a virtual environment without debugpy is debugged, and finds its own modules', async () => {
    const workspace = folder.file('with-venv')
    await mkdir(workspace, { recursive: true })
    await compile('python3', ['-m', 'venv', '--without-pip', '.venv'], workspace)
    const program = join(workspace, 'main.py')
    await writeFile(program, 'import sys\nplace = sys.prefix\nprint(place)\n')
    const recorder = new Recorder(await python.start(launch(program, { cwd: workspace }), { ...context, workspace }))
    await recorder.session.setBreakpoints(program, [breakpoint(3)])
    await recorder.session.run()
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const place = await recorder.session.evaluate('place', { frameId: frame.id, context: 'watch' })
    expect(place.value).toContain('.venv')
    await recorder.session.stop()

    // What is made for it in a cache is made once, also when two ask at the same time.
    const cache = folder.file('cache')
    const runtimes = new PythonRuntimes(cache)
    const [one, other] = await Promise.all([
      runtimes.resolve({ workspace }, undefined, cache),
      runtimes.resolve({ workspace }, undefined, cache),
    ])
    expect(one).toEqual(other)
    const kept = await readdir(cache).catch(() => [])
    expect(kept.filter((name) => name.startsWith('new-'))).toEqual([])
    const elsewhere = await new PythonRuntimes(cache).resolve({ workspace }, undefined, cache)
    expect(elsewhere).toEqual(one)
    expect(await readdir(cache).catch(() => [])).toEqual(kept)
  })

  test('that does not exist is refused by its name', async () => {
    const request = launch(join(fixtures, 'python', 'app.py'), { options: { python: '/no/such/python' } })
    await expect(python.start(request, context)).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('/no/such/python'),
    })
  })

  test('with modules named like those of the debugger does not confuse it', async () => {
    const workspace = folder.file('shadow')
    await mkdir(workspace, { recursive: true })
    await writeFile(join(workspace, 'socket.py'), 'raise RuntimeError("not the real one")\n')
    await writeFile(join(workspace, 'main.py'), 'value = 6 * 7\nprint(value)\n')
    const program = join(workspace, 'main.py')
    const recorder = new Recorder(await python.start(launch(program, { cwd: workspace }), { ...context, workspace }))
    await recorder.session.setBreakpoints(program, [breakpoint(2)])
    await recorder.session.run()
    await recorder.nextStop()
    await recorder.session.stop()
  })
})

describe.skipIf(!hasDelve)('Go (needs delve)', { timeout: 400_000 }, () => {
  test('is built from its package, and nothing is left in the folder', async () => {
    const source = join(fixtures, 'go', 'app.go')
    const recorder = new Recorder(await delve.start(launch(join(fixtures, 'go'), { args: ['run'] }), context))
    await recorder.session.setBreakpoints(source, [breakpoint(readMarks(source)('after'))])
    await recorder.session.run()
    const stop = await recorder.nextStop()
    expect((await recorder.top(stop.threadId)).place?.path).toBe(source)
    await recorder.session.stop()
  })

  test('that does not compile is refused with what the compiler says', async () => {
    const broken = folder.file('broken')
    await mkdir(broken, { recursive: true })
    await writeFile(join(broken, 'go.mod'), 'module example.com/broken\n\ngo 1.19\n')
    await writeFile(join(broken, 'main.go'), 'package main\n\nfunc main() { undefinedThing() }\n')
    await expect(delve.start(launch(broken), context)).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringContaining('undefinedThing'),
    })
  })
})
