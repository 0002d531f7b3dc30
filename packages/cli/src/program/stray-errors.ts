/**
 * What is thrown where nobody catches it: a bug of ours. A command ends with it. A daemon is many agents' work, and one message
 * of one of them has met the bug: it tells it and goes on, unless that happens so often that nothing else can.
 */
const MOST_STRAYS = 20
const WITHIN_MS = 60_000

export class StrayErrors {
  readonly #now: () => number
  #report: ((error: unknown) => void) | undefined
  #times: number[] = []

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** From now on they are told to `report`, and the process goes on. */
  survive(report: (error: unknown) => void): void {
    this.#report = report
  }

  /** True: it was told, and that is all. */
  take(error: unknown): boolean {
    const now = this.#now()
    this.#times = [...this.#times.filter((time) => now - time < WITHIN_MS), now]
    if (this.#report === undefined || this.#times.length > MOST_STRAYS) return false
    this.#report(error)
    return true
  }
}
