/** Python programs as they are launched: without debugpy's adapter, sooner, and no different for the program. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createLeakCheck, createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureBoot } from '../../../src/dap/engines/python-boot.ts'
import { needsAdapter } from '../../../src/dap/engines/python-launch.ts'
import { listPythons } from '../../../src/dap/engines/python-runtime.ts'
import type { Launch } from '../../../src/engine/debug-session.ts'
import { findEngine, removeEngineCache, startGuard } from '../../contract/find-engine.ts'
import { breakpoint, Recorder } from '../../contract/recorder.ts'

const run = promisify(execFile)
const python = findEngine('debugpy')
const { found: hasDebugger } = await python.locate()
const [interpreter] = listPythons({ workspace: '/' }, undefined)
const isWindows = process.platform === 'win32'

const leaks = createLeakCheck()
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await createTemporaryDirectory('switchboard-python-')
  await startGuard()
})
afterAll(async () => {
  await removeEngineCache()
  await folder.remove()
})
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

async function start(name: string, text: string, more: Partial<Launch> = {}) {
  const program = folder.file(name)
  await writeFile(program, text)
  const launch: Launch = {
    kind: 'launch',
    program,
    args: [],
    cwd: folder.path,
    env: {},
    stopOnEntry: false,
    options: {},
    ...more,
  }
  const context = { workspace: folder.path, signal: new AbortController().signal, log: () => {} }
  return { program, recorder: new Recorder(await python.start(launch, context)) }
}

describe.skipIf(!hasDebugger)('a Python program (needs debugpy)', () => {
  test('has the real modules, its own path and arguments, and nothing to read', async () => {
    const { recorder } = await start(
      'real.py',
      [
        'import http.server, xmlrpc.client, sys',
        'print(http.server.BaseHTTPRequestHandler.__module__, xmlrpc.client.ServerProxy.__module__)',
        'print(sys.argv[1:], __name__, [name for name in sys.path if "boot" in name])',
        'try:',
        '    input()',
        'except EOFError:',
        '    print("nothing to read")',
        '',
      ].join('\n'),
      { args: ['--connect', 'a b'] },
    )
    await recorder.session.run()
    await recorder.waitForEnd()
    expect(recorder.output).toBe("http.server xmlrpc.client\n['--connect', 'a b'] __main__ []\nnothing to read\n")
  })

  test.skipIf(isWindows)('that replaces itself by another is followed, and tells how that ended', async () => {
    const { program, recorder } = await start(
      'execs.py',
      [
        'import os, sys',
        'if len(sys.argv) < 2:',
        '    os.execv(sys.executable, [sys.executable, __file__, "again"])',
        'value = 42',
        'sys.exit(7)',
        '',
      ].join('\n'),
    )
    await recorder.session.setBreakpoints(program, [breakpoint(5)])
    await recorder.session.run()
    const { session } = await recorder.next('child')
    const second = new Recorder(session)
    const stop = await second.nextStop()
    const frame = await second.top(stop.threadId)
    expect(await session.evaluate('value', { frameId: frame.id, context: 'watch' })).toMatchObject({ value: '42' })
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 7 })
  })

  test.skipIf(isWindows)('that forks stops in the child, which may end at once when it goes on', async () => {
    const { program, recorder } = await start(
      'forks.py',
      [
        'import os',
        'pid = os.fork()',
        'if pid == 0:',
        '    value = "child"',
        '    os._exit(5)',
        'print("ended with", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))',
        '',
      ].join('\n'),
    )
    await recorder.session.setBreakpoints(program, [breakpoint(5)])
    await recorder.session.run()
    const { session } = await recorder.next('child')
    const child = new Recorder(session)
    const stop = await child.nextStop()
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('ended with 5')
  })

  test('that ends with an error before its first line says it', async () => {
    const { recorder } = await start('broken.py', 'def (:\n')
    await recorder.session.run()
    await recorder.waitForEnd()
    expect(recorder.output).toContain('SyntaxError')
    expect(recorder.events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 1 })
  })

  test('whose Python refuses its options does not start, with what it says', async () => {
    await expect(start('never.py', '', { options: { pythonArgs: ['--no-such-option'] } })).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringContaining('no-such-option'),
    })
  })

  test('with options that only debugpy’s adapter knows is launched by it', async () => {
    const options = { debugOptions: ['RedirectOutput'] }
    expect(needsAdapter({ options } as never)).toBe(true)
    const { program, recorder } = await start('adapter.py', 'value = 6\nprint(value * 7)\n', { options })
    await recorder.session.setBreakpoints(program, [breakpoint(2)])
    await recorder.session.run()
    const stop = await recorder.nextStop()
    await recorder.session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('42')
    expect(recorder.events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 0 })
  })
})

test('a launch needs the adapter for what is asked of it, not for what is declined', () => {
  const launch = (options: Launch['options']) => ({ options }) as Launch
  expect(
    [{}, { sudo: false }, { justMyCode: false, subProcess: false }].map((one) => needsAdapter(launch(one))),
  ).toEqual([false, false, false])
  expect([{ sudo: true }, { noDebug: true }, { qt: 'auto' }].map((one) => needsAdapter(launch(one)))).toEqual([
    true,
    true,
    true,
  ])
})

describe.skipIf(interpreter === undefined)('the program that loads the debugger (needs Python)', () => {
  /** A debugger that does what `server` says when it is loaded, and then prints. */
  async function createDebugger(name: string, server: string): Promise<string> {
    const home = folder.file(name)
    await mkdir(join(home, 'debugpy', 'server'), { recursive: true })
    await mkdir(join(home, 'debugpy', '_vendored', 'pydevd'), { recursive: true })
    await writeFile(join(home, 'debugpy', '_vendored', 'pydevd', 'pydevd.py'), '')
    await writeFile(join(home, 'debugpy', '__init__.py'), '')
    await writeFile(join(home, 'debugpy', 'server', '__init__.py'), server)
    await writeFile(
      join(home, 'debugpy', 'server', 'cli.py'),
      'import sys\ndef main():\n    import xmlrpc.client\n    print(sys.argv[1:], xmlrpc.client.ServerProxy.__module__)\n',
    )
    return home
  }

  const listCompiled = (place: string): Promise<string[]> => readdir(place, { recursive: true }).catch(() => [])

  async function boot(lent: string, compiled: string, more: Record<string, string> = {}): Promise<string> {
    const path = await ensureBoot(folder.file('boot'))
    // A plain Python, whatever the environment of the tests says about compiled modules.
    const { PYTHONDONTWRITEBYTECODE: _, PYTHONPYCACHEPREFIX: __, ...env } = process.env
    const { stdout } = await run(interpreter ?? '', ['-S', path, lent, compiled, 'rest'], { env: { ...env, ...more } })
    return stdout.trim()
  }

  test('is written once, also when two ask at the same time', async () => {
    const [one, other] = await Promise.all([ensureBoot(folder.file('once')), ensureBoot(folder.file('once'))])
    expect(one).toBe(other)
    expect(await readdir(folder.file('once'))).toHaveLength(1)
  })

  test('lends a debugger, and keeps what was compiled of it in our folder', async () => {
    const lent = await createDebugger('lent', '')
    const compiled = folder.file('compiled')
    expect(await boot(lent, compiled)).toBe("['rest'] xmlrpc.client")
    expect(await listCompiled(compiled)).toContainEqual(expect.stringMatching(/cli\..*\.pyc$/))
    expect(await readdir(join(lent, 'debugpy', 'server'))).toEqual(['__init__.py', 'cli.py'])
  })

  test('keeps what was compiled of a debugger that may not be compiled, and of no other', async () => {
    const own = await createDebugger('own', '')
    const [kept, other] = [folder.file('kept'), folder.file('other')]
    const env = { PYTHONPATH: own, PYTHONDONTWRITEBYTECODE: '1' }
    expect(await boot('', kept, env)).toBe("['rest'] xmlrpc.client")
    expect(await listCompiled(kept)).toContainEqual(expect.stringMatching(/cli\..*\.pyc$/))
    await run(interpreter ?? '', ['-m', 'compileall', '-q', own], { env: { ...process.env, PYTHONPYCACHEPREFIX: '' } })
    expect(await boot('', other, env)).toBe("['rest'] xmlrpc.client")
    expect(await listCompiled(other)).toEqual([])
  })

  test('loads a debugger that needs what was left out, with everything', async () => {
    const needy = await createDebugger(
      'needy',
      'import xmlrpc.client\nassert xmlrpc.client.dumps((1,)).startswith("<params>")\n',
    )
    expect(await boot(needy, '')).toBe("['rest'] xmlrpc.client")
  })

  test('fails when there is no debugger', async () => {
    await expect(boot(folder.file('nowhere'), '')).rejects.toMatchObject({
      stderr: expect.stringContaining("No module named 'debugpy'"),
    })
  })
})
