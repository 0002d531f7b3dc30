import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OrphanGuard } from '@switchboard/process'
import type { JsonObject } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
import { callPack, createLeakCheck, INSTANCE } from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDebugPack } from '../../src/create-debug-pack.ts'
import { AdapterProcess } from '../../src/dap/adapter-process.ts'
import { GO_TRAITS } from '../../src/dap/engines/go.ts'
import { SessionLife } from '../../src/dap/session-life.ts'
import { createStreamWire } from '../../src/dap/wire.ts'
import type { DebugEngine } from '../../src/engine/debug-session.ts'
import { Recorder } from '../contract/recorder.ts'

const script = fileURLToPath(new URL('../fixtures/fake-adapter.mjs', import.meta.url))
const traits = { ...GO_TRAITS, outputOnStdout: false }
const guard = new OrphanGuard()
const leaks = createLeakCheck()
const logged: unknown[] = []

beforeAll(async () => {
  // The guard itself is not a leak.
  const life = open('good')
  await (await life.start()).stop()
})
afterAll(() => guard.close())
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

function open(
  manner: string,
  { signal = new AbortController().signal, initializeTimeout = 20_000, startTimeout = 20_000 } = {},
): SessionLife {
  const child = new AdapterProcess(
    { command: process.execPath, args: [script, manner], cwd: process.cwd(), env: {} },
    guard,
  )
  return new SessionLife(
    {
      name: 'fake',
      adapterId: 'fake',
      wire: createStreamWire(child.stdout, child.stdin),
      process: child,
      traits,
      command: 'launch',
      args: {},
      isLaunched: true,
      startTimeout,
      initializeTimeout,
    },
    { workspace: process.cwd(), signal, log: (message, data) => logged.push([message, data]) },
  )
}

describe('an adapter that cannot start a program', () => {
  test.each(['dies', 'dies slowly'])('because it %s: its exit code and its last words are told', async (manner) => {
    await expect(open(manner).start()).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringMatching(/exited with code 7[\s\S]*cannot find libdebug\.so/),
    })
  })

  test('because it never answers: within the time, and it is killed although it ignores signals', async () => {
    await expect(open('mute', { initializeTimeout: 300 }).start()).rejects.toMatchObject({
      code: 'E_TIMEOUT',
      message: expect.stringContaining('initialize'),
    })
  })

  test('because it hangs while it starts the program', async () => {
    await expect(open('hangs', { startTimeout: 200 }).start()).rejects.toMatchObject({
      code: 'E_TIMEOUT',
      message: expect.stringContaining('not ready to be debugged within 200 ms'),
    })
  })

  test('because it sends garbage', async () => {
    await expect(open('garbage').start()).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringContaining('99999999999 bytes'),
    })
  })

  test('because it refuses: with its reason and what it printed', async () => {
    await expect(open('refuses').start()).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: 'cannot build app.x.\napp.x:3: syntax error',
    })
  })

  test('because it quits in the middle', async () => {
    await expect(open('quits').start()).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringContaining('closed the connection'),
    })
  })

  test('because somebody cancels while it hangs', async () => {
    const abort = new AbortController()
    const starting = open('hangs', { signal: abort.signal }).start()
    starting.catch(() => {})
    abort.abort()
    await expect(starting).rejects.toMatchObject({ code: 'E_CANCELLED' })
  })

  test('because there is no such program', () => {
    const wanted = { command: 'no-such-debugger', args: [], cwd: process.cwd(), env: {} }
    expect(() => new AdapterProcess(wanted, guard)).toThrow(expect.objectContaining({ code: 'E_ADAPTER_MISSING' }))
    expect(() => new AdapterProcess({ ...wanted, cwd: '/no/such/folder' }, guard)).toThrow(
      expect.objectContaining({ code: 'E_LAUNCH_FAILED', message: expect.stringContaining('/no/such/folder') }),
    )
  })
})

/** The pack with the fake adapter as its only debugger. */
async function startByTools(manner: string) {
  const engine: DebugEngine = {
    name: 'fake',
    languages: ['fake'],
    launchTypes: ['fake'],
    accepts: () => true,
    locate: async () => ({ found: true, what: 'a fake' }),
    start: (_request, { signal }) => open(manner, { signal }).start(),
  }
  const pack = createDebugPack({ log: createMemoryLogger(), strict: true, loadEngines: async () => [engine] })
  const caller = { era: 'legacy', capabilities: {}, instance: INSTANCE, workspace: dirname(script) } as const
  const call = (name: string, args: JsonObject = {}) => callPack(pack, name, args, { caller })
  const started = await call('debug_start', { program: basename(script), timeoutMs: 10_000 })
  return { call, started, close: () => pack.close() }
}

describe('an adapter that answers nothing while the program stands', () => {
  test.each([
    ['debug_continue', {}],
    ['debug_run_to', { path: basename(script), line: 3 }],
  ])('is answered for by %s in its time, with what to do, and ended', async (tool, args) => {
    const { call, started, close } = await startByTools('silent')
    expect(started.text).toMatch(/not read: stack: The debug adapter did not answer stackTrace within/)
    const { code, text } = await call(tool, { ...args, timeoutMs: 1_000 })
    expect(code, text).toBe('E_TIMEOUT')
    expect(text).toMatch(/in 1000 ms\. debug_status .* debug_stop ends it/)
    expect((await call('debug_stop')).data).toMatchObject({ stoppedCount: 1 })
    await close()
  })

  test.each([
    ['is killed', 'killed', /closed the connection/],
    ['sends 200 MB', 'large', /209715200 bytes/],
    ['sends a header without end', 'endless header', /header of more than/],
  ])('and then %s ends the session, and says why', async (_what, manner, why) => {
    const { call, close } = await startByTools(manner)
    expect(await call('debug_threads')).toMatchObject({ code: 'E_NO_SESSION', text: expect.stringMatching(why) })
    await expect.poll(async () => (await call('debug_status')).data.isActive, { timeout: 20_000 }).toBe(false)
    expect((await call('debug_continue')).text).toMatch(why)
    await close()
  })
})

describe('an adapter with bad manners', () => {
  test('that prints between its messages is understood all the same, and what it printed is logged', async () => {
    const session = await open('noisy').start()
    await session.stop()
    expect(JSON.stringify(logged)).toContain('welcome to the debugger')
  })

  test('that stops but cannot say where: the stop is told', async () => {
    const recorder = new Recorder(await open('shy').start())
    await recorder.session.setBreakpoints('/home/you/a.go', [{ id: 'a', line: 1 }])
    await recorder.session.run()
    expect(await recorder.nextStop()).toMatchObject({ reason: 'breakpoint', breakpointIds: [] })
    await recorder.session.stop()
  })

  test('that wants a terminal is refused, and lives on', async () => {
    const recorder = new Recorder(await open('silly').start())
    await recorder.session.run()
    await recorder.waitForOutput('answered: false Switchboard does not know the request runInTerminal')
    await recorder.session.stop()
  })

  test('that says the end has come and then clings to life is ended, and the session with it', async () => {
    const recorder = new Recorder(await open('clings').start())
    await recorder.session.run()
    await recorder.waitForEnd()
    expect(recorder.events.at(-1)).toEqual({ type: 'terminated' })
  })

  test('has everything refused that its session cannot do', async () => {
    const session = await open('good').start()
    expect(session.capabilities).toMatchObject({ conditions: false, setVariable: false, functionBreakpoints: false })
    const unsupported = { code: 'E_UNSUPPORTED_CAPABILITY' }
    await expect(session.setFunctionBreakpoints(['f'])).rejects.toMatchObject(unsupported)
    await expect(session.setExceptionMode('all')).rejects.toMatchObject(unsupported)
    await expect(session.setVariable(1, 'x', '2')).rejects.toMatchObject(unsupported)
    await expect(session.setBreakpoints('/a', [{ id: 'a', line: 1, condition: 'x' }])).rejects.toMatchObject(
      unsupported,
    )
    await Promise.all([session.stop(), session.stop()])
    await expect(session.threads()).rejects.toMatchObject({ code: 'E_SESSION_TERMINATED' })
  })
})
