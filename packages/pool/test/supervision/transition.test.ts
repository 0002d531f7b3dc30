import { describe, expect, it } from 'vitest'
import { PRIVATE_POLICY, SHARED_POLICY } from '../../src/supervision/policy.ts'
import {
  type Failure,
  type SupervisorEffect,
  type SupervisorEvent,
  type SupervisorState,
  transition,
} from '../../src/supervision/supervision.ts'

type State<K extends SupervisorState['kind']> = Extract<SupervisorState, { kind: K }>

const exit: Failure = { reason: 'transport-exit', message: 'exited with code 1', exitCode: 1, exitSignal: null }
const forgotten: Failure = { reason: 'session-lost', message: 'no longer knows our session' }
const startFailed: Failure = { reason: 'start-failed', message: 'said nothing' }
const cancelBoth: SupervisorEffect[] = [
  { type: 'cancel_timer', timer: 'wait' },
  { type: 'cancel_timer', timer: 'stability' },
]

const idle: SupervisorState = { kind: 'idle' }
const starting: State<'starting'> = {
  kind: 'starting',
  restart: 0,
  firstTry: 0,
  waiting: false,
  since: 0,
  downSince: 0,
  lastFailure: undefined,
}
const restarting: State<'starting'> = { ...starting, restart: 3, since: 9000, downSince: 4000, lastFailure: exit }
const ready: State<'ready'> = { kind: 'ready', restart: 0, since: 100 }
const probing: State<'probing'> = { ...ready, kind: 'probing' }
const backoff: State<'backoff'> = {
  kind: 'backoff',
  restart: 2,
  dueAt: 2000,
  downSince: 1000,
  failure: exit,
  attemptFailed: false,
}
const failed: SupervisorState = { kind: 'failed', failure: exit }
const allStates: SupervisorState[] = [
  idle,
  starting,
  restarting,
  ready,
  probing,
  backoff,
  failed,
  { kind: 'stopping' },
  { kind: 'stopped' },
]

function shared(state: SupervisorState, event: SupervisorEvent) {
  return transition(state, event, SHARED_POLICY)
}

function typesOf(effects: readonly SupervisorEffect[]): string[] {
  return effects.map((effect) => effect.type)
}

function logsOf(effects: readonly SupervisorEffect[]) {
  return effects.filter((effect) => effect.type === 'log')
}

describe('the rows of the supervision table', () => {
  it('idle, first use or start: starting', () => {
    const { state, effects } = shared(idle, { type: 'start_requested', now: 5 })
    expect(state).toEqual({ ...starting, since: 5, downSince: 5 })
    expect(effects).toEqual([...cancelBoth, { type: 'open' }])
  })

  it('starting, handshake done: ready', () => {
    const { state, effects } = shared(starting, { type: 'handshake_succeeded', now: 80 })
    expect(state).toEqual({ kind: 'ready', restart: 0, since: 80 })
    expect(effects).toEqual([{ type: 'set_timer', timer: 'stability', ms: 60_000 }])
  })

  it('starting, refused for its era: given up without a word where that was only a try', () => {
    const wrongEra: Failure = { reason: 'wrong-era', message: 'does not speak it' }
    const event = { type: 'attempt_failed', failure: wrongEra, now: 5 } as const
    const { state, effects } = transition(starting, event, { ...SHARED_POLICY, isOptional: true })
    expect(state).toEqual({ kind: 'failed', failure: wrongEra })
    expect(effects).toEqual([...cancelBoth, { type: 'close', report: false }])
    expect(shared(starting, event).state).toMatchObject({ kind: 'starting', waiting: true, lastFailure: wrongEra })
  })

  it('starting, failed: backoff with an ERROR that names attempt, reason and next wait', () => {
    const { state, effects } = shared(restarting, { type: 'attempt_failed', failure: startFailed, now: 9500 })
    expect(state).toEqual({
      kind: 'backoff',
      restart: 4,
      dueAt: 14_500,
      downSince: 4000,
      failure: startFailed,
      attemptFailed: true,
    })
    expect(logsOf(effects)).toEqual([
      {
        type: 'log',
        level: 'error',
        event: 'restart',
        message: 'said nothing; restart 4 in 5000 ms',
        data: { reason: 'start-failed', message: 'said nothing', attempt: 4, nextWaitMs: 5000 },
      },
    ])
    expect(effects).toContainEqual({ type: 'set_timer', timer: 'wait', ms: 5000 })
  })

  it('ready, transport closed: backoff at once, exit code logged, calls in flight fail first', () => {
    const { state, effects } = shared(ready, { type: 'transport_closed', failure: exit, now: 700 })
    expect(state).toEqual({
      kind: 'backoff',
      restart: 1,
      dueAt: 700,
      downSince: 700,
      failure: exit,
      attemptFailed: false,
    })
    expect(effects[0]).toEqual({ type: 'fail_in_flight', failure: exit })
    expect(logsOf(effects)).toMatchObject([
      { level: 'error', data: { reason: 'transport-exit', exitCode: 1, exitSignal: null, attempt: 1, nextWaitMs: 0 } },
    ])
  })

  it('ready, call timed out: one probe', () => {
    const { state, effects } = shared(ready, { type: 'probe_wanted', now: 300 })
    expect(state).toEqual(probing)
    expect(effects).toEqual([{ type: 'probe' }])
  })

  it('probing, another call times out: the probe that runs is shared', () => {
    expect(shared(probing, { type: 'probe_wanted', now: 301 })).toEqual({ state: probing, effects: [] })
  })

  it('probing, probe ok: ready, nothing restarted', () => {
    expect(shared(probing, { type: 'probe_succeeded', now: 400 })).toEqual({ state: ready, effects: [] })
  })

  it('probing, probe failed: backoff with that reason', () => {
    const failure: Failure = { reason: 'probe-failed', message: 'no answer' }
    const { state, effects } = shared(probing, { type: 'probe_failed', failure, now: 6000 })
    expect(state).toMatchObject({ kind: 'backoff', restart: 1, failure, attemptFailed: false })
    expect(effects[0]).toEqual({ type: 'fail_in_flight', failure })
  })

  it('probing, transport closed: backoff, and the late verdict of the probe changes nothing', () => {
    const fallen = shared(probing, { type: 'transport_closed', failure: exit, now: 500 }).state
    expect(fallen.kind).toBe('backoff')
    expect(shared(fallen, { type: 'probe_failed', failure: exit, now: 501 })).toEqual({ state: fallen, effects: [] })
    expect(shared(fallen, { type: 'probe_succeeded', now: 501 })).toEqual({ state: fallen, effects: [] })
  })

  it('backoff, wait over: the tree is killed and replaced, then starting', () => {
    const { state, effects } = shared(backoff, { type: 'wait_elapsed', now: 2000 })
    expect(state).toEqual({
      kind: 'starting',
      restart: 2,
      firstTry: 0,
      waiting: false,
      since: 2000,
      downSince: 1000,
      lastFailure: exit,
    })
    expect(effects).toEqual([{ type: 'replace' }])
  })

  it.each([ready, probing, { ...ready, restart: 3 }])(
    '$kind, session forgotten: a new one at once, told at INFO and counted as no restart (invariant 6)',
    (state) => {
      const renewed = shared(state, { type: 'transport_closed', failure: forgotten, now: 5000 })
      expect(renewed.state).toEqual({ ...starting, restart: state.restart, since: 5000, downSince: 5000, renews: true })
      expect(typesOf(renewed.effects)).toEqual(['fail_in_flight', 'log', 'cancel_timer', 'cancel_timer', 'renew'])
      expect(renewed.effects[1]).toMatchObject({ level: 'info', event: 'renewed' })
      const again = shared(renewed.state, { type: 'handshake_succeeded', now: 5100 })
      expect(again.state).toEqual({ kind: 'ready', restart: state.restart, since: 5100, renewed: true })
      expect(typesOf(again.effects)).toEqual(['set_timer'])
      const later = shared(again.state, { type: 'transport_closed', failure: forgotten, now: 6100 })
      expect(later.state).toMatchObject({ kind: 'starting', renews: true })
    },
  )

  it('ready, new session forgotten within a second: it counts as a crash (invariant 6)', () => {
    const state = { ...ready, renewed: true }
    const { state: next } = shared(state, { type: 'transport_closed', failure: forgotten, now: 1099 })
    expect(next).toMatchObject({ kind: 'backoff', restart: 1, failure: forgotten })
  })

  it('backoff, new call (start requested): waits with the others, nothing is started early', () => {
    expect(shared(backoff, { type: 'start_requested', now: 1500 })).toEqual({ state: backoff, effects: [] })
  })

  it('any, caller cancels: no event exists for it, so it can restart nothing (invariant 3)', () => {
    const types: Record<SupervisorEvent['type'], true> = {
      start_requested: true,
      restart_requested: true,
      stop_requested: true,
      handshake_succeeded: true,
      attempt_failed: true,
      transport_closed: true,
      probe_wanted: true,
      probe_succeeded: true,
      probe_failed: true,
      wait_elapsed: true,
      stability_reached: true,
      idle_elapsed: true,
      closed: true,
    }
    expect(Object.keys(types).filter((type) => type.includes('cancel'))).toEqual([])
  })

  it.each(allStates.filter(({ kind }) => kind !== 'stopping' && kind !== 'stopped'))(
    'any ($kind), daemon stops: stopping, timers cancelled, closed with a report',
    (state) => {
      const { state: next, effects } = shared(state, { type: 'stop_requested', now: 1 })
      expect(next).toEqual({ kind: 'stopping' })
      expect(effects).toEqual([...cancelBoth, { type: 'close', report: true }])
    },
  )

  it('stopping: no new attempt, whatever happens, until all is closed (invariant 4)', () => {
    const stopping: SupervisorState = { kind: 'stopping' }
    const events: SupervisorEvent[] = [
      { type: 'start_requested', now: 1 },
      { type: 'restart_requested', now: 1 },
      { type: 'stop_requested', now: 1 },
      { type: 'wait_elapsed', now: 1 },
      { type: 'transport_closed', failure: exit, now: 1 },
      { type: 'attempt_failed', failure: exit, now: 1 },
      { type: 'handshake_succeeded', now: 1 },
    ]
    for (const event of events) expect(shared(stopping, event)).toEqual({ state: stopping, effects: [] })
    expect(shared(stopping, { type: 'closed', now: 2 })).toEqual({ state: { kind: 'stopped' }, effects: [] })
  })
})

describe('what the table leaves to its text', () => {
  it('waits 100, 200, 400, 800 and 1000 ms between the tries of a first start, then the schedule takes over', () => {
    let state: SupervisorState = starting
    const waits: number[] = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const fallen = shared(state, { type: 'attempt_failed', failure: startFailed, now: 0 })
      for (const effect of fallen.effects) if (effect.type === 'set_timer') waits.push(effect.ms)
      state = shared(fallen.state, { type: 'wait_elapsed', now: 0 }).state
    }
    expect(waits).toEqual([100, 200, 400, 800, 1000, 0, 1000, 2000])
  })

  it('tries the first start on a fresh process every time', () => {
    const waiting = shared(starting, { type: 'attempt_failed', failure: startFailed, now: 0 }).state
    expect(waiting).toMatchObject({ kind: 'starting', waiting: true, firstTry: 1, lastFailure: startFailed })
    expect(shared(waiting, { type: 'wait_elapsed', now: 100 }).effects).toEqual([{ type: 'replace' }])
  })

  it('takes no notice of a try that is over while the next one is due', () => {
    const waiting = shared(starting, { type: 'attempt_failed', failure: startFailed, now: 0 }).state
    const late: SupervisorEvent[] = [
      { type: 'handshake_succeeded', now: 50 },
      { type: 'attempt_failed', failure: startFailed, now: 50 },
      { type: 'transport_closed', failure: exit, now: 50 },
    ]
    for (const event of late) expect(shared(waiting, event)).toEqual({ state: waiting, effects: [] })
  })

  it.each([
    ['a missing program', { reason: 'not-installed', message: 'the command "x" was not found' }],
    ['a missing credential', { reason: 'auth-required', message: 'answered with 401' }],
  ] as const)('does not try %s every 100 ms: the schedule looks again', (_what, failure) => {
    const { state } = shared(starting, { type: 'attempt_failed', failure, now: 0 })
    expect(state).toMatchObject({ kind: 'backoff', restart: 1, failure })
  })

  it('begins the schedule anew after being ready for a minute', () => {
    const stable = shared({ ...ready, restart: 6 }, { type: 'stability_reached', now: 60_100 })
    expect(stable).toEqual({ state: { ...ready, restart: 0 }, effects: [] })
    expect(shared(stable.state, { type: 'transport_closed', failure: exit, now: 60_200 }).state).toMatchObject({
      restart: 1,
      dueAt: 60_200,
    })
  })

  it('goes on with the schedule when it was not ready for long enough', () => {
    const { state } = shared({ ...ready, restart: 2 }, { type: 'transport_closed', failure: exit, now: 1000 })
    expect(state).toMatchObject({ kind: 'backoff', restart: 3, dueAt: 3000 })
  })

  it('announces a recovery at INFO with the downtime (invariant 5)', () => {
    const { effects } = shared(restarting, { type: 'handshake_succeeded', now: 9100.4 })
    expect(logsOf(effects)).toEqual([
      {
        type: 'log',
        level: 'info',
        event: 'recovered',
        message: 'ready again after 5100 ms',
        data: { downtimeMs: 5100, attempt: 3, reason: 'transport-exit' },
      },
    ])
  })

  it('announces no recovery where nothing had failed', () => {
    expect(logsOf(shared(starting, { type: 'handshake_succeeded', now: 10 }).effects)).toEqual([])
  })

  it('gives a private server one retry and then gives it up', () => {
    const first = transition(starting, { type: 'attempt_failed', failure: startFailed, now: 0 }, PRIVATE_POLICY)
    expect(first.state).toMatchObject({ kind: 'backoff', restart: 1, dueAt: 0 })
    const again = transition(first.state, { type: 'wait_elapsed', now: 0 }, PRIVATE_POLICY)
    const last = transition(again.state, { type: 'attempt_failed', failure: startFailed, now: 5 }, PRIVATE_POLICY)
    expect(last.state).toEqual({ kind: 'failed', failure: startFailed })
    expect(typesOf(last.effects)).toEqual(['cancel_timer', 'cancel_timer', 'log', 'close'])
    expect(logsOf(last.effects)).toMatchObject([{ level: 'error', event: 'gave_up' }])
  })

  it.each([idle, failed, { kind: 'stopped' } as const])(
    'begins anew from $kind when it is restarted by hand',
    (state) => {
      const { state: next, effects } = shared(state, { type: 'restart_requested', now: 4 })
      expect(next).toMatchObject({ kind: 'starting', restart: 0, firstTry: 0 })
      expect(effects).toContainEqual({ type: 'open' })
    },
  )

  it.each([starting, ready, probing, backoff])(
    'replaces what is there when a server that is $kind is restarted by hand',
    (state) => {
      const { state: next, effects } = shared(state, { type: 'restart_requested', now: 4 })
      expect(next).toMatchObject({ kind: 'starting', restart: 0 })
      expect(typesOf(effects)).toContain('replace')
      expect(typesOf(effects)).not.toContain('open')
    },
  )

  it('lets an unused server rest in idle', () => {
    const { state, effects } = shared(ready, { type: 'idle_elapsed', now: 4 })
    expect(state).toEqual(idle)
    expect(effects).toEqual([...cancelBoth, { type: 'close', report: false }])
  })

  it('never changes the state it was given', () => {
    for (const state of allStates) {
      const frozen = Object.freeze(structuredClone(state))
      expect(() => shared(frozen, { type: 'attempt_failed', failure: exit, now: 1 })).not.toThrow()
      expect(() => shared(frozen, { type: 'transport_closed', failure: exit, now: 1 })).not.toThrow()
      expect(frozen).toEqual(state)
    }
  })
})
