/**
 * What every debug engine must do, against its real debugger, with a program in its language that has the same functions
 * and marks everywhere. What an engine cannot do is declared in `lacks`, and must then say so with the right code.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import {
  createLeakCheck,
  createTemporaryDirectory,
  descendantsOf,
  isAlive,
  listProcesses,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DebugEngine, Launch } from '../../src/session/debug-session.ts'
import { breakpoint, Recorder, readMarks } from './recorder.ts'

export type Scenario = 'exception all' | 'exception uncaught' | 'exception caught' | 'child' | 'set element'

export interface EngineFixture {
  readonly language: string
  readonly engine: DebugEngine
  /** Absolute, with the marks. */
  readonly source: string
  /** Makes the program, in `folder` when it must be built, and returns what to launch. Once for all scenarios. */
  prepare(folder: string): Promise<Pick<Launch, 'program'> & Partial<Launch>>
  /** How `total` is read as a condition or expression, and how a value is written. Default: as it is. */
  readonly expressions?: { readonly condition?: string; readonly sum?: string }
  /** The way to 10 in `config.limits.high`. */
  readonly nested?: readonly [limits: string, high: string]
  /** What is left of the name of a function, when its decoration is taken off. */
  readonly names?: Readonly<Record<'run' | 'add', RegExp>>
  readonly lacks: readonly Scenario[]
  /** Of an exception that nobody catches: its type and text. */
  readonly exception: { readonly type: RegExp; readonly message: RegExp }
}

const SETUP_TIMEOUT_MS = 400_000

export async function describeEngineContract(fixture: EngineFixture): Promise<void> {
  const located = await fixture.engine.locate()
  const title = located.found ? fixture.language : `${fixture.language} (missing; install it with: ${located.install})`
  describe.skipIf(!located.found)(title, { timeout: 90_000 }, () => declareScenarios(fixture))
}

function declareScenarios(fixture: EngineFixture): void {
  const { engine, source } = fixture
  const mark = readMarks(source)
  const leaks = createLeakCheck({ timeout: 15_000 })
  let folder: TemporaryDirectory
  let base: Pick<Launch, 'program'> & Partial<Launch>
  const open: Recorder[] = []

  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-debug-')
    base = await fixture.prepare(folder.path)
    // The guard is one process for all sessions; it is there before anything is counted.
    const first = await start('leave')
    await first.session.stop()
  }, SETUP_TIMEOUT_MS)
  afterAll(() => folder.remove())

  beforeEach(() => leaks.begin())
  afterEach(async () => {
    await Promise.all(open.splice(0).map(({ session }) => session.stop({ kill: true })))
    await leaks.check()
  })

  async function start(
    what: string,
    more: Partial<Launch> = {},
    signal = new AbortController().signal,
  ): Promise<Recorder> {
    const launch: Launch = {
      kind: 'launch',
      args: [what],
      cwd: folder.path,
      env: {},
      stopOnEntry: false,
      options: {},
      ...base,
      ...more,
    }
    const workspace = source.slice(0, source.lastIndexOf('fixtures'))
    const recorder = new Recorder(await engine.start(launch, { workspace, signal, log: () => {} }))
    open.push(recorder)
    return recorder
  }

  /** Runs to a mark, with a breakpoint there. */
  async function startAt(what: string, name: string, more: Parameters<typeof breakpoint>[1] = {}) {
    const recorder = await start(what)
    const states = await recorder.session.setBreakpoints(source, [breakpoint(mark(name), more)])
    await recorder.session.run()
    return { recorder, session: recorder.session, states }
  }

  const nameOf = (name: 'run' | 'add'): RegExp => fixture.names?.[name] ?? new RegExp(`\\b${name}\\b`)
  const condition = fixture.expressions?.condition ?? 'i == 5'

  test('stops at a breakpoint, says which, and shows where: function, file, line, whose code', async () => {
    const { recorder, session, states } = await startAt('run', 'loop')
    expect(states).toEqual([{ id: `at-${mark('loop')}`, verified: true }])
    const stop = await recorder.nextStop()
    expect(stop.reason).toBe('breakpoint')
    expect(stop.breakpointIds).toEqual([`at-${mark('loop')}`])
    const { frames } = await session.stack(stop.threadId, { start: 0, count: 20 })
    expect(frames[0]).toMatchObject({ place: { path: source, line: mark('loop') }, isUser: true })
    expect(frames[0]?.name).toMatch(nameOf('run'))
    expect(frames.length).toBeGreaterThan(1)
  })

  test('shows all locals, also those of blocks, and what is inside a nested one', async () => {
    const { recorder, session } = await startAt('run', 'loop', { condition })
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const locals = await recorder.locals(frame.id)
    const byName = new Map(locals.map((variable) => [variable.name, variable]))
    expect([...byName.keys()]).toEqual(expect.arrayContaining(['config', 'big', 'total', 'i']))
    expect(byName.get('i')?.value).toBe('5')
    expect(byName.get('total')?.value).toBe('10')
    const [limits, high] = fixture.nested ?? ['limits', 'high']
    const config = await session.variables(byName.get('config')?.reference ?? 0, { start: 0, count: 20 })
    const inner = config.find(({ name }) => name === limits)
    const values = await session.variables(inner?.reference ?? 0, { start: 0, count: 20 })
    expect(values.find(({ name }) => name === high)?.value).toBe('10')
  })

  test('pages through a list of 5000', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const big = (await recorder.locals(frame.id)).find(({ name }) => name === 'big')
    const reference = big?.reference ?? 0
    const read = async (start: number, count: number): Promise<[name: string, value: string][]> =>
      (await session.variables(reference, { start, count, filter: 'indexed' })).map(({ name, value }) => [name, value])
    expect(await read(4000, 3)).toEqual([4000, 4001, 4002].map((index) => [String(index), String(index)]))
    expect(await read(0, 2)).toEqual([0, 1].map((index) => [String(index), String(index)]))
    expect(await read(4999, 10)).toEqual([['4999', '4999']])
    expect(await read(6000, 10)).toEqual([])
    expect(await session.variables(reference, { start: 100, count: 7 })).toHaveLength(7)
  })

  test('stops only when the condition holds', async () => {
    const { recorder, session } = await startAt('run', 'loop', { condition })
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    expect((await session.evaluate('i', { frameId: frame.id, context: 'watch' })).value).toBe('5')
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  test.each([
    ['3', ['2']],
    ['>= 8', ['7', '8', '9']],
    ['% 4', ['3', '7']],
  ])('stops with the hit condition "%s" at the right turns, and at no other', async (hitCondition, turns) => {
    const { recorder, session } = await startAt('run', 'loop', { hitCondition })
    const seen: string[] = []
    for (const _ of turns) {
      const stop = await recorder.nextStop()
      const frame = await recorder.top(stop.threadId)
      seen.push((await session.evaluate('i', { frameId: frame.id, context: 'watch' })).value)
      await session.continue(stop.threadId)
    }
    await recorder.waitForEnd()
    expect(seen).toEqual(turns)
    expect(recorder.events.filter(({ type }) => type === 'stopped')).toHaveLength(turns.length)
  })

  test('prints what a logpoint says and never stops', async () => {
    const { recorder } = await startAt('run', 'add-return', { id: 'log-1', logMessage: 'result is {result}!' })
    await recorder.waitForEnd()
    expect(recorder.logsOf('log-1')).toEqual(
      [0, 1, 3, 6, 10, 15, 21, 28, 36, 45].map((result) => `result is ${result}!`),
    )
    expect(recorder.events.filter(({ type }) => type === 'stopped')).toEqual([])
    expect(recorder.output).toContain('total 45')
  })

  test('takes breakpoints away while the program stands', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    expect(await session.setBreakpoints(source, [])).toEqual([])
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  test('says why a breakpoint is not bound, or where it moved to', async () => {
    const recorder = await start('run')
    const [state] = await recorder.session.setBreakpoints(source, [{ id: 'far', line: 100_000 }])
    if (state?.verified) expect(state.line ?? 100_000).toBeGreaterThan(0)
    else expect(state?.message).toMatch(/\w/)
  })

  test('steps into, out of and over, and tells the new place each time', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    await session.setBreakpoints(source, [])
    const step = async (kind: 'over' | 'into' | 'out') => {
      await session.step(stop.threadId, kind)
      const { reason, threadId } = await recorder.nextStop()
      expect(reason).toBe('step')
      return recorder.top(threadId)
    }
    const inside = await step('into')
    expect(inside.name).toMatch(nameOf('add'))
    const next = await step('over')
    expect(next.name).toMatch(nameOf('add'))
    expect(next.place?.line).toBeGreaterThan(inside.place?.line ?? 0)
    const outside = await step('out')
    expect(outside.name).toMatch(nameOf('run'))
    const after = await step('over')
    expect(after.name).toMatch(nameOf('run'))
    expect(after.place?.path).toBe(source)
  })

  test('evaluates in a frame, also of a caller, and says what is wrong with an expression', async () => {
    const { recorder, session } = await startAt('run', 'add')
    const stop = await recorder.nextStop()
    const { frames } = await session.stack(stop.threadId, { start: 0, count: 2 })
    const [inner, outer] = frames
    const sum = fixture.expressions?.sum ?? 'total + value + 40'
    expect((await session.evaluate(sum, { frameId: inner?.id ?? -1, context: 'watch' })).value).toBe('40')
    expect((await session.evaluate('i', { frameId: outer?.id ?? -1, context: 'watch' })).value).toBe('0')
    await expect(session.evaluate('nonesuch', { frameId: inner?.id ?? -1, context: 'watch' })).rejects.toMatchObject({
      code: 'E_EVALUATE_FAILED',
      message: expect.stringMatching(/nonesuch/),
    })
  })

  test('sets a variable, and the program goes on with it', async () => {
    const { recorder, session } = await startAt('run', 'after')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const scopes = await session.scopes(frame.id)
    const near = scopes.filter(({ kind }) => kind === 'local' || kind === 'block')
    for (const scope of near) {
      const variables = await session.variables(scope.reference, { start: 0, count: 50 })
      if (!variables.some(({ name }) => name === 'total')) continue
      const changed = await session.setVariable(scope.reference, 'total', '1234')
      expect(changed).toMatchObject({ name: 'total', value: '1234' })
      const again = await session.variables(scope.reference, { start: 0, count: 50 })
      expect(again.find(({ name }) => name === 'total')?.value).toBe('1234')
    }
    await session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 1234')
  })

  test('sets an element of a list', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const big = (await recorder.locals(frame.id)).find(({ name }) => name === 'big')
    const read = async () =>
      (await session.variables(big?.reference ?? 0, { start: 4001, count: 1, filter: 'indexed' }))[0]?.value
    expect(await read()).toBe('4001')
    const changing = session.setVariable(big?.reference ?? 0, '4001', '7')
    if (fixture.lacks.includes('set element'))
      await expect(changing).rejects.toMatchObject({ code: 'E_MODIFICATION_FAILED' })
    else {
      expect((await changing).value).toBe('7')
      expect(await read()).toBe('7')
    }
  })

  test('refuses frames and references of an earlier stop', async () => {
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const [scope] = await session.scopes(frame.id)
    await session.continue(stop.threadId)
    const second = await recorder.nextStop()
    await expect(session.variables(scope?.reference ?? 0, { start: 0, count: 5 })).rejects.toMatchObject({
      code: 'E_STALE_REFERENCE',
    })
    await expect(session.scopes(987_654)).rejects.toMatchObject({ code: 'E_STALE_REFERENCE' })
    expect(second.threadId).toBe(stop.threadId)
  })

  describe('exceptions', () => {
    async function runWith(what: string, mode: 'uncaught' | 'all') {
      const recorder = await start(what)
      await recorder.session.setExceptionMode(mode)
      await recorder.session.run()
      return recorder
    }

    test.each(['uncaught', 'all'] as const)(
      'that nobody catches stop it with the mode "%s", with type and text',
      async (mode) => {
        if (fixture.lacks.includes(`exception ${mode}`)) {
          const recorder = await start('fail')
          await expect(recorder.session.setExceptionMode(mode)).rejects.toMatchObject({
            code: 'E_UNSUPPORTED_CAPABILITY',
          })
          expect(recorder.session.capabilities.exceptions).not.toContain(mode)
          return
        }
        const recorder = await runWith('fail', mode)
        const stop = await recorder.nextStop()
        expect(stop.reason).toBe('exception')
        const frame = await recorder.topUserFrame(stop.threadId)
        expect(frame.place).toMatchObject({ path: source, line: mark('throw') })
        const info = await recorder.session.exceptionInfo(stop.threadId)
        expect(info?.type).toMatch(fixture.exception.type)
        expect(info?.message).toMatch(fixture.exception.message)
      },
    )

    test('that are caught stop it with the mode "all" only', async () => {
      if (fixture.lacks.includes('exception caught')) return
      const recorder = await runWith('caught', 'all')
      const stop = await recorder.nextStop()
      expect(stop.reason).toBe('exception')
      await recorder.session.continue(stop.threadId)
      await recorder.waitForOutput('caught')
      if (fixture.lacks.includes('exception uncaught')) return
      const unbothered = await runWith('caught', 'uncaught')
      await unbothered.waitForEnd()
      expect(unbothered.events.filter(({ type }) => type === 'stopped')).toEqual([])
    })
  })

  test('pauses an endless loop and shows what it is doing', async () => {
    const recorder = await start('endless')
    const { session } = recorder
    await session.run()
    await recorder.waitForOutput('spinning')
    await session.pause()
    const stop = await recorder.nextStop()
    const frame = await recorder.topUserFrame(stop.threadId)
    expect(frame.place?.path).toBe(source)
    expect((await session.threads()).every(({ state }) => state === 'stopped')).toBe(true)
    await session.continue(stop.threadId)
    await expect(session.stack(stop.threadId, { start: 0, count: 1 })).rejects.toMatchObject({ code: 'E_NOT_PAUSED' })
  })

  test('stops at the first line when it is asked to, before anything has happened', async () => {
    const recorder = await start('run', { stopOnEntry: true })
    await recorder.session.run()
    const stop = await recorder.nextStop()
    expect(recorder.output).toBe('')
    await recorder.session.continue(stop.threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('total 45')
  })

  test('stops both of two threads at their line, one after the other or together', async () => {
    const { recorder, session } = await startAt('threads', 'thread')
    const names = new Set<string>()
    while (names.size < 2) {
      const stop = await recorder.nextStop()
      const threads = await session.threads()
      expect(threads.some(({ id, state }) => id === stop.threadId && state === 'stopped')).toBe(true)
      // Both may stand there at once; one continue lets both go.
      for (const { id } of threads) {
        // A thread that waits inside the runtime may have no stack to show.
        const frame = await recorder.top(id).catch(() => undefined)
        if (frame?.place?.path !== source || frame.place.line !== mark('thread')) continue
        const name = (await recorder.locals(frame.id)).find((variable) => variable.name === 'name')?.value ?? ''
        names.add(/first|second/.exec(name)?.[0] ?? name)
      }
      recorder.forgetStops()
      await session.continue(stop.threadId)
    }
    await recorder.waitForEnd()
    expect([...names].sort()).toEqual(['first', 'second'])
    expect(recorder.output).toContain('joined')
  })

  test('debugs a child process with the same breakpoints', async () => {
    if (fixture.lacks.includes('child')) {
      const recorder = await start('leave')
      expect(recorder.session.capabilities.children).toBe(false)
      return
    }
    const { recorder } = await startAt('child', 'loop', { condition })
    const { session: child } = await recorder.next('child')
    const childRecorder = new Recorder(child)
    const stop = await childRecorder.nextStop()
    const frame = await childRecorder.top(stop.threadId)
    expect(frame.place).toMatchObject({ path: source, line: mark('loop') })
    expect((await child.evaluate('total', { frameId: frame.id, context: 'watch' })).value).toBe('10')
    await child.continue(stop.threadId)
    await childRecorder.waitForEnd()
    await recorder.waitForEnd()
    expect(recorder.output).toContain('child said 0')
  })

  test('tells the exit code of a program that ends by itself, and nothing after that', async () => {
    const recorder = await start('leave')
    await recorder.session.run()
    const end = await recorder.waitForEnd()
    expect(end.error).toBeUndefined()
    expect(recorder.events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 3 })
    expect(recorder.events.at(-1)).toEqual({ type: 'terminated' })
    expect(recorder.session.isEnded).toBe(true)
    await expect(recorder.session.threads()).rejects.toMatchObject({ code: 'E_SESSION_TERMINATED' })
  })

  test('starts again after a stop: the same breakpoint is hit', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const { recorder, session } = await startAt('run', 'loop')
      await recorder.nextStop()
      await session.stop()
      expect(recorder.events.at(-1)).toEqual({ type: 'terminated' })
    }
  })

  test('runs two sessions side by side that do not know of each other', async () => {
    const [one, other] = await Promise.all([startAt('run', 'loop'), startAt('run', 'after')])
    const [first, second] = await Promise.all([one.recorder.nextStop(), other.recorder.nextStop()])
    expect((await one.recorder.top(first.threadId)).place?.line).toBe(mark('loop'))
    expect((await other.recorder.top(second.threadId)).place?.line).toBe(mark('after'))
  })

  test('ends a program that ignores SIGTERM', async () => {
    const recorder = await start('stubborn')
    await recorder.session.run()
    await recorder.waitForOutput('stubborn')
    await recorder.session.stop()
    await recorder.waitForEnd()
  })

  test('gets all of 40,000 lines, in order', async () => {
    const recorder = await start('chatty')
    await recorder.session.run()
    await recorder.waitForEnd()
    const lines = recorder.output.split('\n').filter((line) => /^\d+ x+$/.test(line))
    expect(lines).toHaveLength(40_000)
    expect(lines.at(-1)).toMatch(/^39999 /)
    expect(recorder.output).toContain('done')
  })

  /** What we started, without the guard. */
  async function ownChildren(): Promise<number[]> {
    const ours = await descendantsOf(process.pid)
    return ours
      .filter(({ ppid, command }) => ppid === process.pid && !command.includes('orphan-guard'))
      .map(({ pid }) => pid)
  }

  test('notices that its debugger was killed, says so, and leaves nothing behind', async () => {
    const before = new Set(await ownChildren())
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const started = (await ownChildren()).filter((pid) => !before.has(pid))
    expect(started.length).toBeGreaterThan(0)
    for (const pid of started) process.kill(pid, 'SIGKILL')
    const end = await recorder.waitForEnd()
    expect(end.error).toMatchObject({
      code: 'E_SESSION_TERMINATED',
      message: expect.stringMatching(/unexpectedly|killed|ended/),
    })
    await expect(session.evaluate('1', { frameId: frame.id, context: 'watch' })).rejects.toMatchObject({
      code: 'E_SESSION_TERMINATED',
    })
  })

  test('does not wait for ever for a debugger that is mute, and can still be ended', async () => {
    const before = new Set(await ownChildren())
    const { recorder, session } = await startAt('run', 'loop')
    const stop = await recorder.nextStop()
    const frame = await recorder.top(stop.threadId)
    const started = (await ownChildren()).filter((pid) => !before.has(pid))
    for (const pid of started) process.kill(pid, 'SIGSTOP')
    await waitFor(async () => {
      const table = await listProcesses()
      return started.every((pid) => table.some((found) => found.pid === pid && /^[Tt]/.test(found.state)))
    })
    await expect(
      session.evaluate('i', { frameId: frame.id, context: 'watch' }, { timeout: 200 }),
    ).rejects.toMatchObject({ code: 'E_TIMEOUT' })
    const cancelled = new AbortController()
    const waiting = session.threads({ signal: cancelled.signal })
    cancelled.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'E_CANCELLED' })
    await session.stop({ grace: 100 })
    await waitFor(async () => (await Promise.all(started.map(isAlive))).every((alive) => !alive))
  })

  test('leaves nothing behind when our own process is killed', async () => {
    const driver = fileURLToPath(new URL('./hold-session.ts', import.meta.url))
    const launch = { args: ['run'], cwd: folder.path, env: {}, options: {}, ...base }
    const child = spawn(
      process.execPath,
      ['--conditions=switchboard-source', driver, engine.name, JSON.stringify(launch), source, String(mark('loop'))],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const exited = new Promise((resolve) => child.once('exit', resolve))
    await waitFor(() => said.includes('stopped'), { timeout: 60_000 })
    const below = await descendantsOf(child.pid ?? 0)
    expect(below.length).toBeGreaterThan(1)
    child.kill('SIGKILL')
    await exited
    await waitFor(async () => (await Promise.all(below.map(({ pid }) => isAlive(pid)))).every((alive) => !alive), {
      timeout: 20_000,
    })
  })

  test('leaves nothing behind when the start is cancelled', async () => {
    const early = new AbortController()
    early.abort()
    await expect(start('run', {}, early.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' })
    const late = new AbortController()
    const before = new Set(await ownChildren())
    const starting = start('endless', {}, late.signal)
    starting.catch(() => {})
    await waitFor(async () => (await ownChildren()).some((pid) => !before.has(pid)))
    late.abort()
    // It may have been quicker than we.
    await starting.then(
      ({ session }) => session.stop(),
      (error: unknown) => expect(error).toMatchObject({ code: 'E_CANCELLED' }),
    )
  })
}
