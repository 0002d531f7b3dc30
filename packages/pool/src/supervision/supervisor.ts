/** Runs the pure state machine: keeps the state, owns its timers, hands the other effects to whoever can do them. */
import type { Clock, Timer } from '@switchboard/base'
import type { SupervisionPolicy } from './policy.ts'
import {
  type SupervisorEffect,
  type SupervisorEvent,
  type SupervisorState,
  type TimerName,
  transition,
} from './supervision.ts'

/** What is left once the timers are taken care of. */
export type OutwardEffect = Exclude<SupervisorEffect, { type: 'set_timer' | 'cancel_timer' }>

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type SupervisorInput = DistributiveOmit<SupervisorEvent, 'now'>

export interface SupervisorHandlers {
  perform(effect: OutwardEffect): void
  onStateChange(state: SupervisorState, previous: SupervisorState): void
}

const TIMER_EVENTS: Readonly<Record<TimerName, SupervisorInput>> = {
  wait: { type: 'wait_elapsed' },
  stability: { type: 'stability_reached' },
}

export class Supervisor {
  readonly #policy: SupervisionPolicy
  readonly #clock: Clock
  readonly #handlers: SupervisorHandlers
  readonly #timers = new Map<TimerName, Timer>()
  readonly #queue: SupervisorInput[] = []
  #busy = false
  #state: SupervisorState = { kind: 'idle' }

  constructor(policy: SupervisionPolicy, clock: Clock, handlers: SupervisorHandlers) {
    this.#policy = policy
    this.#clock = clock
    this.#handlers = handlers
  }

  get state(): SupervisorState {
    return this.#state
  }

  /** An effect that dispatches in turn is served after the effects of the first are done: one event at a time. */
  dispatch(input: SupervisorInput): void {
    this.#queue.push(input)
    if (this.#busy) return
    this.#busy = true
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#apply(next)
    } finally {
      this.#busy = false
    }
  }

  #apply(input: SupervisorInput): void {
    const previous = this.#state
    const { state, effects } = transition(
      previous,
      { ...input, now: this.#clock.now() } as SupervisorEvent,
      this.#policy,
    )
    this.#state = state
    for (const effect of effects) this.#run(effect)
    if (state !== previous) this.#handlers.onStateChange(state, previous)
  }

  #run(effect: SupervisorEffect): void {
    switch (effect.type) {
      case 'set_timer':
        this.#cancel(effect.timer)
        this.#timers.set(
          effect.timer,
          this.#clock.setTimer(effect.ms, () => {
            this.#timers.delete(effect.timer)
            this.dispatch(TIMER_EVENTS[effect.timer])
          }),
        )
        return
      case 'cancel_timer':
        this.#cancel(effect.timer)
        return
      default:
        this.#handlers.perform(effect)
    }
  }

  #cancel(timer: TimerName): void {
    this.#timers.get(timer)?.cancel()
    this.#timers.delete(timer)
  }
}
