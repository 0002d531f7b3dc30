/**
 * Texts as long as a piece of code or a note, of words that are as frequent as words are (Zipf): a few stand everywhere, most
 * nearly nowhere. Made from a seed, so that everybody measures the same ones, and as many as are asked for.
 */
import { createSeededRandom } from '@switchboard/testkit'

/** Different words that there are at all. */
const WORDS = 120_000
/** What makes the second most frequent word half as frequent as the first, and so on. */
const EXPONENT = 1.05
/** Every so many words there is a name of a program, in several parts, of so many that there are. */
const NAME_EVERY = 12
const NAMES = 30_000
const SHORTEST = 20
const LONGEST = 130

const CONSONANTS = 'bcdfghklmnprstvw'
const VOWELS = 'aeiou'

export class Corpus {
  readonly #random: ReturnType<typeof createSeededRandom>
  readonly #words: readonly string[]
  readonly #names: readonly string[]
  /** Up to each word: how often any of them is meant. */
  readonly #sums: Float64Array

  constructor(seed: number) {
    this.#random = createSeededRandom(seed)
    this.#words = Array.from({ length: WORDS }, (_, place) => wordOf(place))
    this.#sums = new Float64Array(WORDS)
    let sum = 0
    for (let place = 0; place < WORDS; place++) {
      sum += 1 / (place + 1) ** EXPONENT
      this.#sums[place] = sum
    }
    this.#names = Array.from({ length: NAMES }, () => {
      const second = this.word()
      return `${this.word()}${second.charAt(0).toUpperCase()}${second.slice(1)}`
    })
  }

  text(): string {
    const length = SHORTEST + this.#random.below(LONGEST - SHORTEST)
    return Array.from({ length }, (_, at) => (at % NAME_EVERY === NAME_EVERY - 1 ? this.#name() : this.word())).join(
      ' ',
    )
  }

  word(): string {
    return this.#words[this.#draw(WORDS)] ?? ''
  }

  /** Neither everywhere nor nearly nowhere: what people look for. */
  midWord(): string {
    return this.#words[50 + this.#random.below(5_000)] ?? ''
  }

  /** 0 to 1. */
  number(): number {
    return this.#random.below(2 ** 31) / 2 ** 31
  }

  #name(): string {
    return this.#names[this.#draw(NAMES)] ?? ''
  }

  /** A place below that limit, the first ones far more often. */
  #draw(limit: number): number {
    const wanted = this.number() * (this.#sums[limit - 1] ?? 0)
    let [low, high] = [0, limit - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The more frequent, the shorter, as words are. */
function wordOf(place: number): string {
  let word = ''
  for (let rest = place + 1; rest > 0; rest = Math.floor(rest / 80)) {
    const syllable = rest % 80
    word += `${CONSONANTS.charAt(syllable % 16)}${VOWELS.charAt(Math.floor(syllable / 16))}`
  }
  return word.length < 4 ? `${word}n` : word
}
