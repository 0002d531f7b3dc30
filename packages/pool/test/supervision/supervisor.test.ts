import { describe, expect, it } from 'vitest'
import { PRIVATE_POLICY, SHARED_POLICY } from '../../src/supervision/policy.ts'
import type { Failure } from '../../src/supervision/supervision.ts'
import { createRecordedSupervisor, EXIT } from './supervisor-recorder.ts'

const START_FAILED: Failure = { reason: 'start-failed', message: 'said nothing' }

function createReady(policy = SHARED_POLICY) {
  const recorded = createRecordedSupervisor(policy)
  recorded.supervisor.dispatch({ type: 'start_requested' })
  recorded.supervisor.dispatch({ type: 'handshake_succeeded' })
  return recorded
}

/** Every attempt to open or replace fails at once. */
function createHopeless(policy = SHARED_POLICY) {
  const recorded = createRecordedSupervisor(policy)
  recorded.onEffect((effect) => {
    if (effect.type === 'open' || effect.type === 'replace')
      recorded.supervisor.dispatch({ type: 'attempt_failed', failure: START_FAILED })
  })
  return recorded
}

describe('the rows of the supervision table, in time', () => {
  it('starts once, however many ask for it', () => {
    const { supervisor, timesOf, states } = createRecordedSupervisor(SHARED_POLICY)
    for (let user = 0; user < 50; user++) supervisor.dispatch({ type: 'start_requested' })
    expect(timesOf('open')).toEqual([0])
    expect(states).toEqual(['starting'])
  })

  it('is ready after its handshake, with nothing but the stability timer running', () => {
    const { supervisor, clock } = createReady()
    expect(supervisor.state.kind).toBe('ready')
    expect(clock.pendingTimers()).toEqual([60_000])
  })

  it('replaces a server that exits at once, with no call in flight', () => {
    const { supervisor, clock, timesOf, logs } = createReady()
    clock.advance(500)
    supervisor.dispatch({ type: 'transport_closed', failure: EXIT })
    expect(supervisor.state.kind).toBe('backoff')
    clock.advance(0)
    expect(timesOf('fail_in_flight')).toEqual([500])
    expect(timesOf('replace')).toEqual([500])
    expect(supervisor.state.kind).toBe('starting')
    supervisor.dispatch({ type: 'handshake_succeeded' })
    expect(logs()).toEqual(['error restart', 'info recovered'])
  })

  it('probes once for many calls that time out together, and restarts nothing when the probe is answered', () => {
    const { supervisor, timesOf, states } = createReady()
    for (let call = 0; call < 30; call++) supervisor.dispatch({ type: 'probe_wanted' })
    expect(timesOf('probe')).toEqual([0])
    supervisor.dispatch({ type: 'probe_succeeded' })
    expect(states).toEqual(['starting', 'ready', 'probing', 'ready'])
    expect(timesOf('replace')).toEqual([])
  })

  it('keeps counting towards stability while it is probed', () => {
    const { supervisor, clock } = createReady()
    supervisor.dispatch({ type: 'transport_closed', failure: EXIT })
    clock.advance(0)
    supervisor.dispatch({ type: 'handshake_succeeded' })
    clock.advance(59_999)
    supervisor.dispatch({ type: 'probe_wanted' })
    clock.advance(1)
    expect(supervisor.state).toMatchObject({ kind: 'probing', restart: 0 })
  })

  it('replaces a server whose probe failed', () => {
    const { supervisor, clock, timesOf } = createReady()
    supervisor.dispatch({ type: 'probe_wanted' })
    supervisor.dispatch({ type: 'probe_failed', failure: { reason: 'probe-failed', message: 'no answer' } })
    clock.advance(0)
    expect(timesOf('replace')).toEqual([0])
  })

  it('waits 0, 1, 2, 5, 10, 30 and 60 s between restarts, then 60 s for ever', () => {
    const { supervisor, clock, timesOf } = createReady()
    const waits: number[] = []
    for (let restart = 0; restart < 40; restart++) {
      supervisor.dispatch(
        supervisor.state.kind === 'ready'
          ? { type: 'transport_closed', failure: EXIT }
          : { type: 'attempt_failed', failure: START_FAILED },
      )
      const before = clock.now()
      const [wait = Number.NaN] = clock.pendingTimers()
      clock.advance(wait)
      waits.push(clock.now() - before)
    }
    expect(waits.slice(0, 7)).toEqual([0, 1000, 2000, 5000, 10_000, 30_000, 60_000])
    expect(new Set(waits.slice(7))).toEqual(new Set([60_000]))
    expect(timesOf('replace')).toHaveLength(40)
    expect(supervisor.state.kind).toBe('starting')
  })

  it('tries a first start after 100, 200, 400, 800 and 1000 ms and then on the schedule, a whole day long', () => {
    const { supervisor, clock, timesOf } = createHopeless()
    supervisor.dispatch({ type: 'start_requested' })
    clock.advance(24 * 3600_000)
    const times = timesOf('replace')
    const waits = times.map((at, index) => at - (times[index - 1] ?? 0))
    expect(waits.slice(0, 12)).toEqual([100, 200, 400, 800, 1000, 0, 1000, 2000, 5000, 10_000, 30_000, 60_000])
    expect(new Set(waits.slice(12))).toEqual(new Set([60_000]))
    expect(timesOf('open')).toEqual([0])
    expect(times.length).toBeGreaterThan(1400)
  })

  it('begins the schedule anew after 60 s of being ready, and not a millisecond before', () => {
    const crashAfter = (readyFor: number): number[] => {
      const { supervisor, clock } = createReady()
      for (let restart = 0; restart < 3; restart++) {
        supervisor.dispatch({ type: 'transport_closed', failure: EXIT })
        clock.advance(clock.pendingTimers()[0] ?? Number.NaN)
        supervisor.dispatch({ type: 'handshake_succeeded' })
      }
      clock.advance(readyFor)
      supervisor.dispatch({ type: 'transport_closed', failure: EXIT })
      return clock.pendingTimers()
    }
    expect(crashAfter(59_999)).toEqual([5000])
    expect(crashAfter(60_000)).toEqual([0])
  })

  it('gives a private server one retry, then it has failed and stays so', () => {
    const { supervisor, clock, timesOf, logs } = createHopeless(PRIVATE_POLICY)
    supervisor.dispatch({ type: 'start_requested' })
    clock.advance(3600_000)
    expect(supervisor.state).toEqual({ kind: 'failed', failure: START_FAILED })
    expect([...timesOf('open'), ...timesOf('replace')]).toHaveLength(2)
    expect(logs()).toEqual(['error restart', 'error gave_up'])
    expect(clock.pendingTimers()).toEqual([])
  })

  it('gives a private server its retry back once it was stable', () => {
    const { supervisor, clock } = createReady(PRIVATE_POLICY)
    supervisor.dispatch({ type: 'transport_closed', failure: EXIT })
    clock.advance(0)
    supervisor.dispatch({ type: 'handshake_succeeded' })
    clock.advance(60_000)
    supervisor.dispatch({ type: 'transport_closed', failure: EXIT })
    expect(supervisor.state.kind).toBe('backoff')
  })

  it('cancels an attempt that waits when it is stopped', () => {
    const { supervisor, clock, timesOf } = createHopeless()
    supervisor.dispatch({ type: 'start_requested' })
    clock.advance(10_000)
    const attempts = timesOf('replace').length
    supervisor.dispatch({ type: 'stop_requested' })
    expect(clock.pendingTimers()).toEqual([])
    clock.advance(3600_000)
    expect(timesOf('replace')).toHaveLength(attempts)
    supervisor.dispatch({ type: 'closed' })
    expect(supervisor.state.kind).toBe('stopped')
  })

  it('rests without any timer after idling away', () => {
    const { supervisor, clock, timesOf } = createReady()
    supervisor.dispatch({ type: 'idle_elapsed' })
    expect(supervisor.state.kind).toBe('idle')
    expect(clock.pendingTimers()).toEqual([])
    expect(timesOf('close')).toEqual([0])
  })

  it('fires nothing and delays nothing when the wall clock jumps', () => {
    const { supervisor, clock, timesOf } = createHopeless()
    supervisor.dispatch({ type: 'start_requested' })
    clock.jumpWallTime(10 * 3600_000)
    clock.advance(99)
    expect(timesOf('replace')).toEqual([])
    clock.jumpWallTime(-20 * 3600_000)
    clock.advance(1)
    expect(timesOf('replace')).toEqual([100])
  })
})

describe('Supervisor', () => {
  it('serves an event that an effect dispatches after the effects of the first', () => {
    const { supervisor, onEffect, performed, states } = createRecordedSupervisor(SHARED_POLICY)
    onEffect((effect) => {
      if (effect.type === 'open') supervisor.dispatch({ type: 'handshake_succeeded' })
    })
    supervisor.dispatch({ type: 'start_requested' })
    expect(performed.map(({ effect }) => effect.type)).toEqual(['open'])
    expect(states).toEqual(['starting', 'ready'])
  })

  it('goes on after an effect that throws', () => {
    const { supervisor, onEffect } = createRecordedSupervisor(SHARED_POLICY)
    let broken = true
    onEffect(() => {
      if (broken) throw new Error('no hands')
    })
    expect(() => supervisor.dispatch({ type: 'start_requested' })).toThrow('no hands')
    broken = false
    supervisor.dispatch({ type: 'stop_requested' })
    supervisor.dispatch({ type: 'closed' })
    expect(supervisor.state.kind).toBe('stopped')
  })

  it('announces a state only when it has changed', () => {
    const { supervisor, states } = createReady()
    supervisor.dispatch({ type: 'start_requested' })
    supervisor.dispatch({ type: 'wait_elapsed' })
    supervisor.dispatch({ type: 'closed' })
    expect(states).toEqual(['starting', 'ready'])
  })
})
