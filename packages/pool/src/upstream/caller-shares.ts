/**
 * How many of a server's places one caller may hold at once. Alone it may hold all of them. While others use the server,
 * or did shortly before, it holds its part: what is already at the server runs before the next call that comes, so a
 * flood that held all places would be in front of everybody.
 *
 * The parts are as many as there are callers, four at the most. Beside a polite caller, one that has nothing in line and is
 * just calling, quick calls get less than their part: one place for every few milliseconds that a call takes, since more
 * would only stand in front of it. So calls that are answered at once go one after the other; those that take long have
 * their places.
 *
 * Between such calls that wait in line their caller rests, for as long as a call took: one after the other they would leave
 * no moment in which the server, we or the machine are free for the polite one.
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
/** For so long after its call, somebody is just calling. */
const CALLING_MS = 1_000
/** Of calls that take next to no time. */
const LEAST_REST_MS = 2

interface Holder {
  held: number
  usedAt: number
  /** How long it holds a place. Long until it is known. */
  typicalMs: number
  isResting: boolean
}

export class CallerShares {
  /** Not emptied with every call: a map that is filled and emptied all the time is costly. */
  readonly #callers = new Map<string, Holder>()
  #sweptAt = Number.NEGATIVE_INFINITY
  /** Who had nothing in line last, and who before, when it was another. */
  #polite: Holder | undefined
  #politeBefore: Holder | undefined

  /** Whether it may hold one more of `places`. */
  mayTake(caller: string, places: number, now: number): boolean {
    const holder = this.#touch(caller, now)
    const { held, typicalMs, isResting } = holder
    if (isResting) return false
    if (held === 0) return true
    this.#sweep(now)
    const part = Math.ceil(places / Math.min(this.#callers.size, MOST_PARTS))
    if (!this.#isBesidePolite(holder, now)) return held < part
    return held < Math.min(part, Math.ceil(typicalMs / MS_A_PLACE))
  }

  take(caller: string, now: number): void {
    this.#touch(caller, now).held++
  }

  /** `hasMore`: it has calls in line. Returns after how many milliseconds to call `endRest`; 0: it does not rest. */
  giveBack(caller: string, now: number, heldMs: number, hasMore: boolean): number {
    const holder = this.#touch(caller, now)
    holder.held--
    const { typicalMs } = holder
    holder.typicalMs = typicalMs === Number.POSITIVE_INFINITY ? heldMs : typicalMs + WEIGHT * (heldMs - typicalMs)
    if (!hasMore) this.#remember(holder)
    if (!hasMore || heldMs >= MS_A_PLACE || !this.#isBesidePolite(holder, now)) return 0
    holder.isResting = true
    return Math.max(LEAST_REST_MS, Math.round(heldMs))
  }

  endRest(caller: string): void {
    const holder = this.#callers.get(caller)
    if (holder !== undefined) holder.isResting = false
  }

  #remember(polite: Holder): void {
    if (polite === this.#polite) return
    this.#politeBefore = this.#polite
    this.#polite = polite
  }

  #isBesidePolite(holder: Holder, now: number): boolean {
    const other = this.#polite === holder ? this.#politeBefore : this.#polite
    return other !== undefined && now - other.usedAt < CALLING_MS
  }

  #touch(caller: string, now: number): Holder {
    const holder = this.#callers.get(caller) ?? this.#add(caller)
    holder.usedAt = now
    return holder
  }

  #add(caller: string): Holder {
    const holder = { held: 0, usedAt: 0, typicalMs: Number.POSITIVE_INFINITY, isResting: false }
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
