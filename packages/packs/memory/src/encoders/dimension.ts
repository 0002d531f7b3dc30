/**
 * How long the vectors of a model are: as configured, else as the first answer was. An answer of another length is refused, since
 * half of a store in each of two models would be searched by halves. Yet a server may have been given another model under the
 * same name: when the same other length comes again and again, it is believed.
 */
import { EncoderError } from './encoder.ts'

/** So often in a row; with the pauses of the circuit, not within seconds. */
const TIMES_UNTIL_BELIEVED = 5

export class Dimension {
  readonly #isFixed: boolean
  #length: number | undefined
  #other: number | undefined
  #times = 0

  /** Of the configuration; absent: it is learned. */
  constructor(configured: number | undefined) {
    this.#isFixed = configured !== undefined
    this.#length = configured
  }

  get length(): number | undefined {
    return this.#length
  }

  /** What is known from an earlier time; what was learned since wins. */
  remember(length: number): void {
    this.#length ??= length
  }

  /** Throws EncoderError. Answers whether the length is new. */
  accept(length: number): boolean {
    if (length === this.#length) {
      this.#times = 0
      return false
    }
    if (this.#length !== undefined && (this.#isFixed || !this.#isBelieved(length))) {
      const expected = this.#isFixed ? `${this.#length} are configured` : `there were ${this.#length} before`
      throw new EncoderError('garbage', `answered vectors of ${length} numbers where ${expected}`)
    }
    this.#length = length
    this.#times = 0
    return true
  }

  #isBelieved(length: number): boolean {
    this.#times = this.#other === length ? this.#times + 1 : 1
    this.#other = length
    return this.#times >= TIMES_UNTIL_BELIEVED
  }
}
