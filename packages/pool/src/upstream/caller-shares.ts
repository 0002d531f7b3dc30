/**
 * How many of a server's places one caller may hold at once. Alone it may hold all of them. While others use the server,
 * or did shortly before, it holds its part: what is already at the server runs before the next call that comes, so a
 * flood that held all places would be in front of everybody.
 *
 * The parts are as many as there are callers, four at the most. A caller whose calls are quick needs less than its part:
 * one place for every few milliseconds that a call takes keep it as busy, and more only stand in front of others. So one
 * whose calls are answered at once has them answered one after the other, while one whose calls take long has its places.
 */

/** An agent thinks between its calls; for so long it still counts as one that uses the server. */
const RECENT_MS = 10_000
const SWEEP_MS = 1_000
/** However many callers there are: most of them hold nothing most of the time. */
const MOST_PARTS = 4
/** Of a quick call, for each place. */
const MS_A_PLACE = 5
/** Of the latest call in what is typical. */
const WEIGHT = 0.2

interface Holder {
  held: number
  usedAt: number
  /** How long it holds a place. Long until it is known. */
  typicalMs: number
}

export class CallerShares {
  /** Not emptied with every call: a map that is filled and emptied all the time is costly. */
  readonly #callers = new Map<string, Holder>()
  #sweptAt = Number.NEGATIVE_INFINITY

  /** Whether it may hold one more of `places`. */
  mayTake(caller: string, places: number, now: number): boolean {
    const { held, typicalMs } = this.#touch(caller, now)
    if (held === 0) return true
    this.#sweep(now)
    const callers = this.#callers.size
    if (callers === 1) return held < places
    const part = Math.ceil(places / Math.min(callers, MOST_PARTS))
    return held < Math.min(part, Math.ceil(typicalMs / MS_A_PLACE))
  }

  take(caller: string, now: number): void {
    this.#touch(caller, now).held++
  }

  giveBack(caller: string, now: number, heldMs: number): void {
    const holder = this.#touch(caller, now)
    holder.held--
    const { typicalMs } = holder
    holder.typicalMs = typicalMs === Number.POSITIVE_INFINITY ? heldMs : typicalMs + WEIGHT * (heldMs - typicalMs)
  }

  #touch(caller: string, now: number): Holder {
    const known = this.#callers.get(caller)
    if (known !== undefined) {
      known.usedAt = now
      return known
    }
    const holder: Holder = { held: 0, usedAt: now, typicalMs: Number.POSITIVE_INFINITY }
    this.#callers.set(caller, holder)
    return holder
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    for (const [caller, { held, usedAt }] of this.#callers) {
      if (held === 0 && now - usedAt >= RECENT_MS) this.#callers.delete(caller)
    }
  }
}
