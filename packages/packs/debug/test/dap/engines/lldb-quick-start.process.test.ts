/** What lldb keeps for its next start, and that the program sees nothing of it. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OrphanGuard } from '@switchboard/process'
import { createLeakCheck, createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createDapEngines } from '../../../src/dap/engines.ts'
import type { DebugEngine } from '../../../src/engine/debug-session.ts'
import { compile } from '../../contract/compile.ts'
import { breakpoint, Recorder } from '../../contract/recorder.ts'

const SOURCE = `#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static const char *read(const char *name) { const char *value = getenv(name); return value ? value : "none"; }
int main() {
  std::vector<int> numbers(5000, 7);
  std::string text = "a text";
  printf("python %s, server %s\\n", read("PYTHONPATH"), read("LLDB_DEBUGSERVER_PATH"));
  printf("path %s\\n", read("PATH"));
  return 0;
}
`
const LINE = 9
const signal = new AbortController().signal

const isThere = await findLldb({ guard: new OrphanGuard() })
  .locate()
  .then(({ found }) => found)

function findLldb(environment: Parameters<typeof createDapEngines>[0]): DebugEngine {
  const engine = createDapEngines(environment).find(({ name }) => name === 'lldb-dap')
  if (engine === undefined) throw new Error('lldb-dap is not in the table')
  return engine
}

describe.runIf(isThere && process.platform === 'linux')('lldb with a folder for what it can use again', () => {
  const leaks = createLeakCheck()
  const open: Recorder[] = []
  let folder: TemporaryDirectory
  let cache: string
  let engine: DebugEngine
  let guard: OrphanGuard

  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-lldb-')
    await writeFile(folder.file('app.cpp'), SOURCE)
    await compile('g++', ['-g', '-O0', '-o', folder.file('app'), folder.file('app.cpp')], folder.path)
  }, 120_000)
  afterAll(() => folder.remove())
  beforeEach(async (context) => {
    await leaks.begin()
    guard = new OrphanGuard()
    cache = folder.file(`cache ${context.task.id}`)
    engine = findLldb({ guard, cacheFolder: cache })
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    await Promise.all(open.splice(0).map(({ session }) => session.stop({ kill: true })))
    await guard.close()
    await leaks.check()
  })

  async function stopInside(env: Record<string, string> = {}): Promise<Recorder> {
    const program = folder.file('app')
    const recorder = new Recorder(
      await engine.start(
        { kind: 'launch', program, args: [], cwd: folder.path, env, stopOnEntry: false, options: {} },
        { workspace: folder.path, signal, log: () => {} },
      ),
    )
    open.push(recorder)
    await recorder.session.setBreakpoints(folder.file('app.cpp'), [breakpoint(LINE)])
    await recorder.session.run()
    return recorder
  }

  async function readLocals(recorder: Recorder): Promise<Record<string, string>> {
    const { threadId } = await recorder.nextStop()
    const locals = await recorder.locals((await recorder.top(threadId)).id)
    return Object.fromEntries(locals.map(({ name, value }) => [name, value]))
  }

  async function listCode(): Promise<string[]> {
    const names = await readdir(cache, { recursive: true })
    return names.filter((name) => /cpython-\d+\/[0-9a-f]{16}$/.test(name)).map((name) => join(cache, name))
  }

  const SHOWN = { numbers: 'size=5000', text: '"a text"' }

  test('keeps the byte code of its Python module, and uses it the next time', async () => {
    expect(await readLocals(await stopInside())).toMatchObject(SHOWN)
    const kept = await listCode()
    const sizes = await Promise.all(kept.map(async (path) => (await stat(path)).size))
    expect(Math.max(...sizes)).toBeGreaterThan(100_000)
    const before = await Promise.all(kept.map(async (path) => (await stat(path)).ino))
    expect(await readLocals(await stopInside())).toMatchObject(SHOWN)
    expect(await Promise.all(kept.map(async (path) => (await stat(path)).ino))).toEqual(before)
  })

  test('compiles again what is broken or cut off', async () => {
    await readLocals(await stopInside())
    const kept = await listCode()
    for (const path of kept) await writeFile(path, (await readFile(path)).subarray(0, 1000))
    expect(await readLocals(await stopInside())).toMatchObject(SHOWN)
    const sizes = await Promise.all(kept.map(async (path) => (await stat(path)).size))
    expect(Math.max(...sizes)).toBeGreaterThan(100_000)
  })

  test('can be started twice at once with an empty folder', async () => {
    const both = await Promise.all([stopInside(), stopInside()])
    for (const recorder of both) expect(await readLocals(recorder)).toMatchObject(SHOWN)
    expect((await listCode()).length).toBeGreaterThan(0)
  })

  async function runToEnd(env: Record<string, string> = {}): Promise<string> {
    const recorder = await stopInside(env)
    const { threadId } = await recorder.nextStop()
    await recorder.session.continue(threadId)
    await recorder.waitForEnd()
    return recorder.output
  }

  test('shows the program the environment that it would have without a debugger', async () => {
    vi.stubEnv('PYTHONPATH', undefined)
    const output = await runToEnd()
    expect(output).toContain('python none, server none\n')
    expect(output).toContain(`path ${process.env.PATH}\n`)
  })

  test('gives the program what the person has in a variable that lldb needs, unless the launch says otherwise', async () => {
    vi.stubEnv('PYTHONPATH', '/home/you/modules')
    expect(await runToEnd()).toContain('python /home/you/modules, server none\n')
    expect(await runToEnd({ PYTHONPATH: '/home/you/others' })).toContain('python /home/you/others, server none\n')
  })
})
