/**
 * The life of one server as a pure function: `(state, event) → (state, effects)`. It owns life and death and never
 * sees a call's data. Nothing here waits, spawns or reads a clock; the effects say what is to be done, and
 * `now` comes with every event.
 *
 * Invariants
 * 1. At most one process is wanted at any time: `open` is asked for only when the one before was closed or replaced.
 * 2. Leaving a state cancels its timers.
 * 3. A call that times out never restarts by itself: only a failed probe does. A cancelled call is not an event here at all.
 * 4. Once stopping, no attempt begins, not even one whose wait was running.
 * 5. Every restart is announced by exactly one ERROR entry, every recovery by one INFO entry with the downtime.
 * 6. A session that the server forgot is no crash: a new one is opened at once, and counts as no restart. Only when that is
 *    forgotten within a second does it count.
 */
import type { SupervisionPolicy } from './policy.ts'
import { waitBeforeRestart } from './policy.ts'

export type FailureReason =
  | 'start-failed'
  | 'transport-exit'
  | 'session-lost'
  | 'probe-failed'
  | 'not-installed'
  | 'auth-required'
  | 'wrong-era'

export interface Failure {
  readonly reason: FailureReason
  readonly message: string
  /** What to do about it, where there is more to say than the catalogue of errors does. */
  readonly hint?: string
  readonly exitCode?: number | null
  readonly exitSignal?: string | null
}

export type SupervisorState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'starting'
      /** 0 for the first start, else the number of this restart. */
      readonly restart: number
      /** Of the first start: which try this is, from 0. */
      readonly firstTry: number
      /** Waiting for the next try of the first start. */
      readonly waiting: boolean
      readonly since: number
      readonly downSince: number
      readonly lastFailure: Failure | undefined
      /** In place of a session that the server forgot. */
      readonly renews?: boolean
    }
  | UpState<'ready'>
  | UpState<'probing'>
  | {
      readonly kind: 'backoff'
      /** The restart that is due next, from 1. */
      readonly restart: number
      readonly dueAt: number
      readonly downSince: number
      readonly failure: Failure
      /** False right after a crash: no attempt has failed yet. */
      readonly attemptFailed: boolean
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'stopped' }

interface UpState<Kind extends string> {
  readonly kind: Kind
  readonly restart: number
  readonly since: number
  /** It stands in place of a session that the server forgot. */
  readonly renewed?: boolean
}

export type SupervisorEvent = (
  | { readonly type: 'start_requested' }
  | { readonly type: 'restart_requested' }
  | { readonly type: 'stop_requested' }
  | { readonly type: 'handshake_succeeded' }
  | { readonly type: 'attempt_failed'; readonly failure: Failure }
  | { readonly type: 'transport_closed'; readonly failure: Failure }
  /** A call timed out, or a connection that cannot notice its own end is due for a look. */
  | { readonly type: 'probe_wanted' }
  | { readonly type: 'probe_succeeded' }
  | { readonly type: 'probe_failed'; readonly failure: Failure }
  | { readonly type: 'wait_elapsed' }
  | { readonly type: 'stability_reached' }
  | { readonly type: 'idle_elapsed' }
  | { readonly type: 'closed' }
) & { readonly now: number }

export type TimerName = 'wait' | 'stability'

export type SupervisorEffect =
  /** Spawn or connect, and shake hands. */
  | { readonly type: 'open' }
  /** Kill the whole tree of what was there, then open. */
  | { readonly type: 'replace' }
  /** The same, which counts as no restart. */
  | { readonly type: 'renew' }
  /** Orderly end; `closed` is dispatched when nothing is left (only asked for by a stop). */
  | { readonly type: 'close'; readonly report: boolean }
  | { readonly type: 'probe' }
  | { readonly type: 'set_timer'; readonly timer: TimerName; readonly ms: number }
  | { readonly type: 'cancel_timer'; readonly timer: TimerName }
  | { readonly type: 'fail_in_flight'; readonly failure: Failure }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'error'
      readonly event: 'restart' | 'retry' | 'recovered' | 'renewed' | 'gave_up'
      readonly message: string
      readonly data: Record<string, unknown>
    }

export interface Transition {
  readonly state: SupervisorState
  readonly effects: readonly SupervisorEffect[]
}

/** A new session that is forgotten sooner than this is no better than a crash. */
const RENEW_AGAIN_MS = 1_000

const CANCEL_TIMERS: readonly SupervisorEffect[] = [
  { type: 'cancel_timer', timer: 'wait' },
  { type: 'cancel_timer', timer: 'stability' },
]

const CLOSE: SupervisorEffect = { type: 'close', report: false }

export function transition(state: SupervisorState, event: SupervisorEvent, policy: SupervisionPolicy): Transition {
  if (event.type === 'stop_requested') return stop(state)
  switch (state.kind) {
    case 'idle':
    case 'stopped':
    case 'failed':
      return event.type === 'start_requested' || event.type === 'restart_requested'
        ? begin(event.now, 'open')
        : stay(state)
    case 'starting':
      return whileStarting(state, event, policy)
    case 'ready':
    case 'probing':
      return whileUp(state, event, policy)
    case 'backoff':
      return whileDown(state, event)
    case 'stopping':
      return event.type === 'closed' ? { state: { kind: 'stopped' }, effects: [] } : stay(state)
  }
}

function stay(state: SupervisorState): Transition {
  return { state, effects: [] }
}

function begin(
  now: number,
  how: 'open' | 'replace' | 'renew',
): Transition & { readonly state: Extract<SupervisorState, { kind: 'starting' }> } {
  const state: Extract<SupervisorState, { kind: 'starting' }> = {
    kind: 'starting',
    restart: 0,
    firstTry: 0,
    waiting: false,
    since: now,
    downSince: now,
    lastFailure: undefined,
  }
  return { state, effects: [...CANCEL_TIMERS, { type: how }] }
}

function stop(state: SupervisorState): Transition {
  if (state.kind === 'stopping' || state.kind === 'stopped') return stay(state)
  return { state: { kind: 'stopping' }, effects: [...CANCEL_TIMERS, { type: 'close', report: true }] }
}

function whileStarting(
  state: Extract<SupervisorState, { kind: 'starting' }>,
  event: SupervisorEvent,
  policy: SupervisionPolicy,
): Transition {
  // That try is over and the next is due: what its connection still reports is too late to count.
  if (state.waiting && event.type !== 'wait_elapsed' && event.type !== 'restart_requested') return stay(state)
  switch (event.type) {
    case 'handshake_succeeded': {
      const effects: SupervisorEffect[] = [{ type: 'set_timer', timer: 'stability', ms: policy.stableAfter }]
      if (state.lastFailure !== undefined) effects.push(createRecoveryLog(state, event.now))
      const renewed = state.renews === true ? { renewed: true } : {}
      return { state: { kind: 'ready', restart: state.restart, since: event.now, ...renewed }, effects }
    }
    case 'attempt_failed':
    case 'transport_closed': {
      if (event.failure.reason === 'wrong-era' && policy.isOptional) {
        return { state: { kind: 'failed', failure: event.failure }, effects: [...CANCEL_TIMERS, CLOSE] }
      }
      const wait = policy.firstTries[state.firstTry]
      // A missing program or credential does not appear within a second: the schedule looks again.
      const isHopeless = event.failure.reason === 'not-installed' || event.failure.reason === 'auth-required'
      if (state.restart === 0 && wait !== undefined && !isHopeless) {
        const next = { ...state, firstTry: state.firstTry + 1, waiting: true, lastFailure: event.failure }
        return { state: next, effects: [createAttemptLog('retry', event.failure, next.firstTry, wait), setWait(wait)] }
      }
      return fall(event.failure, state.restart, state.downSince, true, event.now, policy)
    }
    case 'wait_elapsed':
      return state.waiting
        ? { state: { ...state, waiting: false, since: event.now }, effects: [{ type: 'replace' }] }
        : stay(state)
    case 'restart_requested':
      return begin(event.now, 'replace')
    default:
      return stay(state)
  }
}

function whileUp(
  state: Extract<SupervisorState, { kind: 'ready' | 'probing' }>,
  event: SupervisorEvent,
  policy: SupervisionPolicy,
): Transition {
  switch (event.type) {
    case 'transport_closed':
    case 'probe_failed': {
      if (event.type === 'probe_failed' && state.kind !== 'probing') return stay(state)
      if (event.failure.reason === 'session-lost' && !isRenewedInVain(state, event.now)) return renew(state, event)
      const fallen = fall(event.failure, state.restart, event.now, false, event.now, policy)
      return { ...fallen, effects: [{ type: 'fail_in_flight', failure: event.failure }, ...fallen.effects] }
    }
    case 'probe_wanted':
      return state.kind === 'probing'
        ? stay(state)
        : { state: { ...state, kind: 'probing' }, effects: [{ type: 'probe' }] }
    case 'probe_succeeded':
      return { state: { ...state, kind: 'ready' }, effects: [] }
    case 'stability_reached':
      return { state: { ...state, restart: 0 }, effects: [] }
    case 'idle_elapsed':
      return { state: { kind: 'idle' }, effects: [...CANCEL_TIMERS, CLOSE] }
    case 'restart_requested': {
      const failure: Failure = { reason: 'transport-exit', message: 'the server was restarted by hand' }
      const begun = begin(event.now, 'replace')
      return { ...begun, effects: [{ type: 'fail_in_flight', failure }, ...begun.effects] }
    }
    default:
      return stay(state)
  }
}

function isRenewedInVain({ renewed, since }: UpState<string>, now: number): boolean {
  return renewed === true && now - since < RENEW_AGAIN_MS
}

function renew({ restart }: UpState<string>, { failure, now }: { failure: Failure; now: number }): Transition {
  const begun = begin(now, 'renew')
  const log: SupervisorEffect = {
    type: 'log',
    level: 'info',
    event: 'renewed',
    message: `${failure.message}; a new session is opened`,
    data: { reason: failure.reason },
  }
  return {
    state: { ...begun.state, restart, renews: true },
    effects: [{ type: 'fail_in_flight', failure }, log, ...begun.effects],
  }
}

function whileDown(state: Extract<SupervisorState, { kind: 'backoff' }>, event: SupervisorEvent): Transition {
  switch (event.type) {
    case 'wait_elapsed': {
      const { restart, downSince, failure } = state
      const next: SupervisorState = {
        kind: 'starting',
        restart,
        firstTry: 0,
        waiting: false,
        since: event.now,
        downSince,
        lastFailure: failure,
      }
      return { state: next, effects: [{ type: 'replace' }] }
    }
    case 'restart_requested':
      return begin(event.now, 'replace')
    default:
      return stay(state)
  }
}

/** Into backoff, or, when the policy allows no more restarts, given up. */
function fall(
  failure: Failure,
  restartsSoFar: number,
  downSince: number,
  attemptFailed: boolean,
  now: number,
  policy: SupervisionPolicy,
): Transition {
  const restart = restartsSoFar + 1
  if (restart > policy.maxRestarts) {
    const message = `gave up after ${restartsSoFar} restart(s): ${failure.message}`
    const log: SupervisorEffect = { type: 'log', level: 'error', event: 'gave_up', message, data: { ...failure } }
    return { state: { kind: 'failed', failure }, effects: [...CANCEL_TIMERS, log, CLOSE] }
  }
  const wait = waitBeforeRestart(policy, restart)
  const state: SupervisorState = { kind: 'backoff', restart, dueAt: now + wait, downSince, failure, attemptFailed }
  return { state, effects: [...CANCEL_TIMERS, createAttemptLog('restart', failure, restart, wait), setWait(wait)] }
}

function setWait(ms: number): SupervisorEffect {
  return { type: 'set_timer', timer: 'wait', ms }
}

function createAttemptLog(
  event: 'restart' | 'retry',
  failure: Failure,
  attempt: number,
  wait: number,
): SupervisorEffect {
  const when = wait === 0 ? 'now' : `in ${wait} ms`
  const what = event === 'retry' ? `try ${attempt + 1} of the first start` : `restart ${attempt}`
  return {
    type: 'log',
    level: 'error',
    event,
    message: `${failure.message}; ${what} ${when}`,
    data: { ...failure, attempt, nextWaitMs: wait },
  }
}

function createRecoveryLog(state: Extract<SupervisorState, { kind: 'starting' }>, now: number): SupervisorEffect {
  const downtimeMs = Math.round(now - state.downSince)
  return {
    type: 'log',
    level: 'info',
    event: 'recovered',
    message: `ready again after ${downtimeMs} ms`,
    data: { downtimeMs, attempt: state.restart, reason: state.lastFailure?.reason },
  }
}
