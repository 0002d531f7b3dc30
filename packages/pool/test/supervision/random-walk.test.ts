import { createSeededRandom } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { PRIVATE_POLICY, SHARED_POLICY, type SupervisionPolicy } from '../../src/supervision/policy.ts'
import {
  type SupervisorEffect,
  type SupervisorEvent,
  type SupervisorState,
  type TimerName,
  transition,
} from '../../src/supervision/supervision.ts'
import { EXIT } from './supervisor-recorder.ts'

const EVENT_TYPES: readonly SupervisorEvent['type'][] = [
  'start_requested',
  'restart_requested',
  'stop_requested',
  'handshake_succeeded',
  'attempt_failed',
  'transport_closed',
  'probe_wanted',
  'probe_succeeded',
  'probe_failed',
  'wait_elapsed',
  'stability_reached',
  'idle_elapsed',
  'closed',
]
/** Which timers each state may have running. */
const ALLOWED_TIMERS: Record<SupervisorState['kind'], readonly TimerName[]> = {
  idle: [],
  starting: ['wait'],
  ready: ['stability'],
  probing: ['stability'],
  backoff: ['wait'],
  failed: [],
  stopping: [],
  stopped: [],
}

function createEvent(type: SupervisorEvent['type'], now: number): SupervisorEvent {
  return (
    type === 'attempt_failed' || type === 'transport_closed' || type === 'probe_failed'
      ? { type, now, failure: { ...EXIT, reason: type === 'probe_failed' ? 'probe-failed' : 'start-failed' } }
      : { type, now }
  ) as SupervisorEvent
}

/** The world that the effects act on, with the numbered invariants of supervision.ts checked at every step. */
class World {
  readonly timers = new Set<TimerName>()
  hasProcess = false
  isProbing = false

  apply(before: SupervisorState, event: SupervisorEvent, after: SupervisorState, effects: readonly SupervisorEffect[]) {
    const types = effects.map(({ type }) => type)
    for (const effect of effects) this.#perform(effect)
    // 1
    expect(types.filter((type) => type === 'open' || type === 'replace').length).toBeLessThanOrEqual(1)
    // 2
    for (const timer of this.timers) expect(ALLOWED_TIMERS[after.kind]).toContain(timer)
    // 3
    if (event.type === 'probe_wanted') expect(types).not.toContain('replace')
    // 4
    if (before.kind === 'stopping') expect(effects).toEqual([])
    if (event.type === 'stop_requested') expect(types).not.toContain('replace')
    // 5
    const logged = effects.flatMap((effect) => (effect.type === 'log' ? [effect.event] : []))
    const isFall = after.kind === 'backoff' && before.kind !== 'backoff'
    const isRetry = after.kind === 'starting' && after.waiting && before !== after
    if (isFall) expect(logged).toEqual(['restart'])
    else if (isRetry) expect(logged).toEqual(['retry'])
    else if (after.kind === 'failed' && before.kind !== 'failed') expect(logged).toEqual(['gave_up'])
    else if (after.kind === 'ready' && before.kind === 'starting') {
      expect(logged).toEqual(before.lastFailure === undefined ? [] : ['recovered'])
    } else expect(logged).toEqual([])
    // Whoever leaves a state in which calls run tells those calls.
    const wasUp = before.kind === 'ready' || before.kind === 'probing'
    if (wasUp && (after.kind === 'backoff' || after.kind === 'starting')) expect(types[0]).toBe('fail_in_flight')
  }

  #perform(effect: SupervisorEffect): void {
    switch (effect.type) {
      case 'open':
        expect(this.hasProcess).toBe(false)
        this.hasProcess = true
        return
      case 'replace':
        this.hasProcess = true
        return
      case 'close':
        this.hasProcess = false
        return
      case 'set_timer':
        this.timers.add(effect.timer)
        return
      case 'cancel_timer':
        this.timers.delete(effect.timer)
    }
  }
}

function walk(seed: number, policy: SupervisionPolicy): SupervisorState['kind'][] {
  const random = createSeededRandom(seed)
  const world = new World()
  const seen = new Set<SupervisorState['kind']>()
  let state: SupervisorState = { kind: 'idle' }
  let now = 0
  for (let step = 0; step < 200; step++) {
    now += random.below(5000)
    // Stops are rare, or every walk would spend its time stopped; timers only fire while they are set.
    const type = random.pick(EVENT_TYPES)
    if (type === 'stop_requested' && random.below(6) > 0) continue
    if (type === 'wait_elapsed' && !world.timers.delete('wait')) continue
    if (type === 'stability_reached' && !world.timers.delete('stability')) continue
    const event = createEvent(type, now)
    const next = transition(state, event, policy)
    world.apply(state, event, next.state, next.effects)
    state = next.state
    seen.add(state.kind)
  }
  return [...seen]
}

describe('a random walk through the life of a server', () => {
  it.each([
    ['shared', SHARED_POLICY],
    ['private', PRIVATE_POLICY],
  ] as const)('keeps every invariant of a %s server, whatever happens in whatever order', (name, policy) => {
    const visited = new Set<string>()
    for (let seed = 1; seed <= 80; seed++) for (const kind of walk(seed, policy)) visited.add(kind)
    const expected = ['idle', 'starting', 'ready', 'probing', 'backoff', 'stopping', 'stopped']
    expect([...visited].sort()).toEqual([...expected, ...(name === 'private' ? ['failed'] : [])].sort())
  })
})
