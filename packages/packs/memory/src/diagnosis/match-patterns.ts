/**
 * Which patterns a text fits. A sign in it is proof; words alone are a likeness, which is never worth as much: the words of an error
 * are those of many others.
 */
import type { Category, Pattern } from './pattern.ts'

export interface PatternMatch {
  readonly pattern: Pattern
  /** 0 to 1. */
  readonly match: number
  /** How alike the words are, 0 to 1. */
  readonly likeness: number
  /** What stands in the text, as it stands there; undefined: words only. */
  readonly sign: string | undefined
}

export interface MatchQuery {
  /** The message and the stack. */
  readonly text: string
  /** What else is known, such as the context: it counts by its words. */
  readonly more: string
  readonly category?: Category | undefined
}

const SIGN = 0.95
const BROAD_SIGN = 0.8
/** What the words add where a sign is there. */
const WORDS_BESIDE_SIGN = 0.05
const MOST_OF_WORDS = 0.55
/** Below it, it is not even alike; beside one that is proven, more is asked for. */
const LEAST_MATCH = 0.2
const LEAST_BESIDE_SIGN = 0.45
/** A dump repeats itself; what it is about stands at its beginning or its end. */
const MAX_CHARACTERS = 60_000
const MAX_SIGN = 160

const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at be by can cannot could did do does error failed failure for from had has have i if in into is it its line no not of on or that the then there this to was when which while will with you your'.split(
    ' ',
  ),
)

export class PatternMatcher {
  readonly patterns: readonly Pattern[]
  readonly #entries: readonly {
    readonly pattern: Pattern
    readonly words: ReadonlySet<string>
    readonly weight: number
  }[]
  readonly #rarity = new Map<string, number>()

  constructor(patterns: readonly Pattern[]) {
    this.patterns = patterns
    const worded = patterns.map((pattern) => ({ pattern, words: new Set(wordsOf(describe(pattern))) }))
    for (const { words } of worded) for (const word of words) this.#rarity.set(word, (this.#rarity.get(word) ?? 0) + 1)
    for (const [word, count] of this.#rarity) this.#rarity.set(word, Math.log(1 + patterns.length / count))
    this.#entries = worded.map((entry) => ({ ...entry, weight: this.#weigh(entry.words) }))
  }

  /** The best first. */
  match({ text, more, category }: MatchQuery): PatternMatch[] {
    const bounded = bound(text)
    const query = new Set([...wordsOf(bounded), ...wordsOf(more)].filter((word) => this.#rarity.has(word)))
    const weight = this.#weigh(query)
    const matches = this.#entries
      .filter(({ pattern }) => category === undefined || pattern.category === category)
      .flatMap(({ pattern, words, weight: own }): PatternMatch[] => {
        const common = this.#weigh([...query].filter((word) => words.has(word)))
        const likeness = weight === 0 ? 0 : common / Math.sqrt(weight * own)
        const sign = findSign(pattern, bounded)
        const match =
          sign === undefined
            ? Math.min(MOST_OF_WORDS, likeness)
            : (pattern.isBroad === true ? BROAD_SIGN : SIGN) + WORDS_BESIDE_SIGN * Math.min(1, likeness)
        return match < LEAST_MATCH ? [] : [{ pattern, match, likeness, sign }]
      })
      .sort((one, other) => other.match - one.match)
    const isProven = matches[0]?.sign !== undefined
    return isProven ? matches.filter(({ match }) => match >= LEAST_BESIDE_SIGN) : matches
  }

  #weigh(words: Iterable<string>): number {
    let sum = 0
    for (const word of words) sum += (this.#rarity.get(word) ?? 0) ** 2
    return sum
  }
}

function describe({ title, words, cause, tags }: Pattern): string {
  return [title, words, cause, ...tags].join(' ')
}

function findSign({ signs }: Pattern, text: string): string | undefined {
  for (const sign of signs) {
    const [found] = sign.exec(text) ?? []
    if (found !== undefined) return found.replace(/\s+/g, ' ').slice(0, MAX_SIGN)
  }
  return undefined
}

function bound(text: string): string {
  const half = MAX_CHARACTERS / 2
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, half)}\n${text.slice(-half)}`
}

/** Numbers, addresses and hashes are of one case only. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9+#]+/)
    .filter(
      (word) =>
        word.length > 1 &&
        word.length < 40 &&
        /[a-z]/.test(word) &&
        !STOP_WORDS.has(word) &&
        !/^0x|^[0-9a-f]{7,}$/.test(word),
    )
}
