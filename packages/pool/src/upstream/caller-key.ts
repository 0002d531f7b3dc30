import type { Caller } from '@switchboard/protocol'

/** Whose a request is: what private servers, subscriptions and turns hang on. A caller without either is the pool's own user. */
export function keyOf(caller: Pick<Caller, 'instance' | 'session'>): string {
  return caller.instance ?? caller.session ?? ''
}

/** Whose turn in a queue a request takes. */
export function laneOf(caller: Pick<Caller, 'instance' | 'session' | 'lane'>): string {
  return caller.instance ?? caller.session ?? caller.lane ?? ''
}
