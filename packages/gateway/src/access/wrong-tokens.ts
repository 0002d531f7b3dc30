/**
 * Wrong credentials cost their sender time, and nobody else: the answer to one is held back, the longer the more came from
 * that address, and a right one is never waited for. What is held is bounded: beyond that, a wrong one is refused with the
 * advice to come later. Addresses are forgotten once their time is served, and the oldest beyond so many.
 */
import type { Clock } from '@switchboard/base'

/** A person mistypes, and a client that has an old token tries a few times. */
const FREE = 10
/** For every one after those. */
const EACH_MS = 250
const LONGEST_MS = 5_000
const MOST_ADDRESSES = 1_000

interface Guesser {
  /** When it has served its time. */
  readonly served: number
  readonly isTold: boolean
}

export class WrongTokens {
  readonly #clock: Clock
  readonly #onSlowed: (address: string) => void
  /** By address; the one that guessed last is last. */
  readonly #guessers = new Map<string, Guesser>()

  /** `onSlowed`: answers to that address are held back from now on; told once, until it is forgotten. */
  constructor(clock: Clock, onSlowed: (address: string) => void = () => undefined) {
    this.#clock = clock
    this.#onSlowed = onSlowed
  }

  get size(): number {
    return this.#guessers.size
  }

  /** Milliseconds to hold the answer; undefined: too many are held. */
  note(address: string): number | undefined {
    const now = this.#clock.now()
    const source = toSource(address)
    const known = this.#guessers.get(source)
    const served = Math.max(now, known?.served ?? 0) + EACH_MS
    const wait = served - now - FREE * EACH_MS
    if (wait > LONGEST_MS) return undefined
    this.#guessers.delete(source)
    this.#guessers.set(source, { served, isTold: known?.isTold === true || wait > 0 })
    this.#forget(now)
    if (wait > 0 && known?.isTold !== true) this.#onSlowed(address)
    return Math.max(0, wait)
  }

  /** Resolves to false, at once, where `note` says that too many are held. */
  hold(address: string): Promise<boolean> {
    const wait = this.note(address)
    if (wait === undefined) return Promise.resolve(false)
    return new Promise((resolve) => this.#clock.setBackgroundTimer(wait, () => resolve(true)))
  }

  #forget(now: number): void {
    for (const [source, { served }] of this.#guessers) {
      if (served > now && this.#guessers.size <= MOST_ADDRESSES) return
      this.#guessers.delete(source)
    }
  }
}

/** One customer has 2^64 addresses of IPv6. */
function toSource(address: string): string {
  const bare = address.replace(/^::ffff:/i, '')
  return bare.includes(':') ? bare.split(':').slice(0, 4).join(':') : bare
}
