import { callPack, FakeClock, waitFor } from '@switchboard/testkit'
import { beforeEach, describe, expect, test } from 'vitest'
import { useDebugBench } from '../helpers/debug-bench.ts'
import { createFakeEngine, type FakeEngine, FakeSession } from '../helpers/fake-engine.ts'

let engine: FakeEngine = createFakeEngine()
beforeEach(() => {
  engine = createFakeEngine()
})
const bench = useDebugBench({ loadEngines: async () => [engine] })

const stopAtOnce = (session: FakeSession): void => session.simulateStop()

/** Starts a program that stops at once, and then does as it is told. */
async function start(args = {}, prepare: (session: FakeSession) => void = () => {}): Promise<FakeSession> {
  await bench.write('app.fake', 'one\ntwo\nthree\n')
  engine.prepare = (session) => {
    session.onGo = stopAtOnce
    session.frames = [{ id: 1, name: 'main', place: { path: `${bench.workspace}/app.fake`, line: 2 }, isUser: true }]
    prepare(session)
  }
  await bench.call('debug_start', { language: 'fake', program: 'app.fake', ...args })
  const session = engine.sessions.at(-1)
  if (session === undefined) throw new Error('nothing was started')
  return session
}

describe('a stop', () => {
  test('that comes before anybody waits is not lost', async () => {
    const session = await start({ wait: false })
    session.simulateStop({ reason: 'pause' })
    expect((await bench.call('debug_wait_for_hit')).data).toMatchObject({ event: 'stopped', reason: 'pause' })
  })

  test('is the answer to one call only; the next one waits for the next stop', async () => {
    const session = await start()
    session.onGo = undefined
    const going = bench.call('debug_continue')
    await waitFor(() => session.log.includes('continue 1'))
    session.simulateStop({ reason: 'second' })
    expect((await going).data).toMatchObject({ reason: 'second' })
  })

  test('is what a wait finds that begins while the program stands', async () => {
    await start()
    expect((await bench.call('debug_wait_for_hit', { timeoutMs: 100 })).data).toMatchObject({ event: 'stopped' })
  })

  test('of an engine that never tells its stack is told all the same, with what is missing', async () => {
    const session = await start()
    session.isMute = true
    const step = await bench.call('debug_step_over')
    expect(step.data).toMatchObject({ event: 'stopped', problems: [expect.stringMatching(/^stack: .*did not answer/)] })
  })

  test('takes a line that was run to away again', async () => {
    const session = await start()
    const seen: unknown[] = []
    session.onGo = (one) => {
      seen.push(one.files.get(`${bench.workspace}/app.fake`))
      one.simulateStop({ breakpointIds: ['until-1'] })
    }
    const reached = await bench.call('debug_run_to', { line: 3 })
    expect(seen).toEqual([[{ id: 'until-1', line: 3 }]])
    expect(reached.text).toMatch(/^reached app\.fake:2/)
    await waitFor(() => session.files.get(`${bench.workspace}/app.fake`)?.length === 0)
  })

  test('by steps ends when the condition holds', async () => {
    const session = await start()
    let steps = 0
    session.onGo = (one) => {
      steps++
      one.locals = [{ name: 'steps > 3', value: String(steps > 3), reference: 0 }]
      one.simulateStop({ reason: 'step' })
    }
    await bench.call('debug_continue', { until: { condition: 'steps > 3' } })
    expect(steps).toBe(4)
  })
})

describe('several sessions', () => {
  test('are told apart by their ids, and the last one that stopped is the current one', async () => {
    const first = await start()
    const second = await start()
    expect((await bench.call('debug_status')).data).toMatchObject({ current: 's2', isPaused: true })
    await bench.call('debug_step_over', { sessionId: 's1' })
    expect(first.log).toContain('step over 1')
    expect(second.log).not.toContain('step over 1')
    expect((await bench.call('debug_status')).data).toMatchObject({ current: 's1' })
    const stopped = await bench.call('debug_stop', { all: true })
    expect(stopped.data).toMatchObject({ stoppedCount: 2, stoppedSessions: ['s1', 's2'] })
  })

  test('of a parent and its child: a stop of the child answers a call about the parent', async () => {
    const parent = await start()
    const child = new FakeSession('child')
    parent.onGo = (one) => {
      one.simulate({ type: 'child', session: child })
      child.simulateStop({ reason: 'breakpoint' })
    }
    const answer = await bench.call('debug_continue')
    expect(answer.data).toMatchObject({ event: 'stopped', sessionId: 's1.1' })
    parent.simulateEnd()
    child.onGo = (one) => one.simulateEnd(3)
    expect((await bench.call('debug_continue')).data).toMatchObject({
      event: 'terminated',
      sessionId: 's1',
      exitCode: 0,
    })
  })

  test('are limited, and the refusal names those that could be ended', async () => {
    bench.open({ maxSessions: 1 })
    await start()
    const refused = await bench.call('debug_start', { language: 'fake', program: 'app.fake' })
    expect(refused).toMatchObject({ code: 'E_CAPACITY', error: { details: { sessions: ['s1'] } } })
  })

  test('of two agents do not see each other', async () => {
    await start()
    const other = await bench.call('debug_status', {}, { instance: 'u0a1-9c33e1' })
    expect(other.data).toMatchObject({ isActive: false, sessions: [] })
    expect((await bench.call('debug_stop', { sessionId: 's1' }, { instance: 'u0a1-9c33e1' })).code).toBe('E_NO_SESSION')
  })
})

describe('the end', () => {
  test('of a program is an answer, with its code and its last output', async () => {
    const session = await start()
    session.onGo = (one) => {
      one.simulate({ type: 'output', category: 'stdout', text: 'bye\n' })
      one.simulateEnd(3)
    }
    const answer = await bench.call('debug_continue')
    expect(answer.text).toBe('ended: exit code 3 (s1)\nout: bye')
    expect((await bench.call('debug_continue')).text).toContain('s1 has ended with exit code 3')
  })

  test('of an adapter in the middle of a step says why', async () => {
    const session = await start()
    session.onGo = (one) => one.simulate({ type: 'terminated', error: new Error('the adapter died') })
    expect((await bench.call('debug_step_over')).text).toContain('ended: the adapter died')
  })

  test('of an agent ends its sessions and wakes whoever waits', async () => {
    const session = await start({ wait: false }, (one) => {
      one.onGo = undefined
    })
    const waiting = bench.call('debug_wait_for_hit')
    // Everything before the wait itself is done within this turn of the event loop.
    await new Promise(setImmediate)
    bench.pack.release('tt79-6f854d')
    expect((await waiting).data).toMatchObject({ event: 'terminated' })
    expect(session.log).toContain('stop')
    expect((await bench.call('debug_status')).data).toMatchObject({ sessions: [] })
  })

  test('of an agent while its program is still being started ends that too', async () => {
    await start()
    const starting = Promise.withResolvers<void>()
    engine.prepare = () => starting.promise
    const begun = bench.call('debug_start', { language: 'fake', program: 'app.fake' })
    await waitFor(() => engine.sessions.length === 2)
    bench.pack.release('tt79-6f854d')
    starting.resolve()
    expect((await begun).code).toBe('E_CANCELLED')
    expect(engine.sessions.at(-1)?.log).toEqual(['stop'])
  })

  test('comes to a session that nobody has used for long', async () => {
    const clock = new FakeClock()
    bench.open({ clock, idleTimeout: 60_000 })
    const session = await start()
    clock.advance(40_000)
    await bench.call('debug_threads')
    clock.advance(40_000)
    expect(session.isEnded).toBe(false)
    clock.advance(40_000)
    expect(session.log).toContain('stop')
  })

  test('of a session that does not end is not waited for without end', async () => {
    const clock = new FakeClock()
    bench.open({ clock })
    const session = await start()
    session.isStubborn = true
    const stopping = bench.call('debug_stop')
    await waitFor(() => session.log.includes('stop'))
    clock.advance(10_000)
    expect((await stopping).data).toMatchObject({ stoppedSessions: ['s1'] })
  })
})

describe('a start', () => {
  test('sets breakpoints and exceptions before anything runs', async () => {
    const session = await start({ breakpoints: [{ path: 'app.fake', line: 1, condition: 'x' }], exceptions: 'all' })
    expect(session.log.slice(0, 2)).toEqual(['exceptions all', 'run'])
    expect(session.files.get(`${bench.workspace}/app.fake`)).toEqual([{ id: 'b1', line: 1, condition: 'x' }])
  })

  test('without its debugger on the machine says how to get it', async () => {
    await start()
    engine.isInstalled = false
    bench.open({ loadEngines: async () => [engine] })
    const refused = await bench.call('debug_start', { language: 'fake', program: 'app.fake' })
    expect(refused.text).toMatch(/^\[E_ADAPTER_MISSING\].*pkg install fake/)
  })

  test('anew keeps the id and the breakpoints, also after the end', async () => {
    const session = await start({ breakpoints: [{ path: 'app.fake', line: 1 }] })
    session.simulateEnd()
    const again = await bench.call('debug_restart')
    expect(again.data).toMatchObject({ event: 'stopped', sessionId: 's1' })
    expect(engine.sessions.at(-1)?.files.size).toBe(1)
    expect((await bench.call('debug_status')).data.sessions).toHaveLength(1)
  })
})

describe('breakpoints', () => {
  test('set while a program stands reach it; removed ones leave it', async () => {
    const session = await start()
    const added = await bench.call('breakpoint_add', { path: 'app.fake', line: 3 })
    expect(added.text).toBe('b1 app.fake:3 bound')
    expect(session.files.get(`${bench.workspace}/app.fake`)).toEqual([{ id: 'b1', line: 3 }])
    await bench.call('breakpoint_remove', { path: 'app.fake', line: 3 })
    expect(session.files.get(`${bench.workspace}/app.fake`)).toEqual([])
  })

  test('say where they moved to, and why they are not bound', async () => {
    const session = await start({ breakpoints: [{ path: 'app.fake', line: 1 }] })
    session.simulate({ type: 'breakpoint', state: { id: 'b1', verified: true, line: 2 } })
    expect((await bench.call('breakpoint_list')).text).toBe('b1 app.fake:1 bound, moved to line 2')
    session.simulate({ type: 'breakpoint', state: { id: 'b1', verified: false, message: 'no code there' } })
    expect((await bench.call('breakpoint_list')).text).toBe('b1 app.fake:1 unbound: no code there')
  })

  test('are all gone after breakpoint_clear_project and of one file after breakpoint_clear_file', async () => {
    await start({
      breakpoints: [
        { path: 'app.fake', line: 1 },
        { path: 'app.fake', line: 2 },
      ],
    })
    await bench.write('other.fake', 'x\n')
    await bench.call('breakpoint_add', { path: 'other.fake', line: 1 })
    expect((await bench.call('breakpoint_clear_file', { path: 'app.fake' })).data).toMatchObject({ cleared: 2 })
    expect((await bench.call('breakpoint_clear_project')).data).toMatchObject({ cleared: 1 })
  })
})

describe('a caller whom nothing tells from others', () => {
  const nameless = (tool: string, args = {}, lane = 'connection:1') =>
    callPack(bench.pack, tool, args, { caller: { era: 'modern', capabilities: {}, lane } })

  test.each([
    ['debug_start', { language: 'fake', program: 'app.fake', folder: '/' }],
    ['debug_evaluate', { expression: '1' }],
    ['debug_status', {}],
    ['breakpoint_list', {}],
  ])('is refused %s, and told what to do', async (tool, args) => {
    const { error } = await nameless(tool, args)
    expect(error).toMatchObject({ code: 'caller_unknown', executed: false, hint: expect.stringContaining('token') })
    expect(engine.sessions).toEqual([])
  })

  test('sees nothing of what others have captured', async () => {
    await start()
    const { error } = await nameless('dap_logs')
    expect(error).toMatchObject({ code: 'E_NO_SESSION' })
  })

  test('may use what belongs to nobody', async () => {
    expect((await nameless('docs_list')).error).toEqual({})
  })

  test('that shows a credential has a desk of its own', async () => {
    await bench.write('app.fake', 'one\ntwo\n')
    const call = { language: 'fake', program: 'app.fake', folder: bench.workspace, wait: false }
    expect((await nameless('debug_start', call, 'credential:ann')).error).toEqual({})
    expect((await nameless('debug_threads', {}, 'credential:eve')).error).toMatchObject({ code: 'E_NO_SESSION' })
    expect((await nameless('debug_status', {}, 'credential:ann')).data).toMatchObject({
      sessions: [{ language: 'fake' }],
    })
  })
})
