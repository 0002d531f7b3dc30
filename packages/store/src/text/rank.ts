/**
 * The order of what a search has found, the same for every engine: an engine finds candidates by its own rough order, this puts
 * them in the final one. Three measured ideas, each of which helps on all public collections it was tried on (bench/results):
 *
 * 1. BM25 with its usual constants, where a word that the query repeats counts more, but ever less;
 * 2. neighbours: two words that stand side by side in the query and in the text;
 * 3. feedback: words that the five best texts have in common count a little, the less the more words the query has itself.
 *
 * An exact name of a short query (an error code, an identifier) comes before everything that lacks it.
 */
export interface QueryTerm {
  readonly text: string
  readonly isName: boolean
  /** How often the query has it. */
  readonly count: number
  /** In how many texts it stands. */
  readonly frequency: number
}

export interface Candidate {
  readonly key: number
  /** The terms of its text, in their order. */
  readonly terms: readonly string[]
}

export interface Collection {
  readonly size: number
  /** Terms of a text, in the mean. */
  readonly meanLength: number
  /** In how many texts each of these terms stands. */
  frequenciesOf(terms: readonly string[]): ReadonlyMap<string, number>
}

export interface Ranked {
  readonly key: number
  readonly score: number
}

/** More terms than the rarest of so many change nothing but the time. */
export const MAX_QUERY_TERMS = 24
export const MAX_CANDIDATES = 100

const K1 = 1.2
const B = 0.75
const NEIGHBOUR_WEIGHT = 0.5
const FEEDBACK_TEXTS = 5
const FEEDBACK_TERMS = 10
/** What stands in more than this part of all texts tells nothing about a few of them. */
const FEEDBACK_COMMON = 0.1
/** Who writes more than this pastes a text: a name in it is one of many. */
const SHORT_QUERY_TERMS = 6
const EXACT_COMMON = 0.05

export function rank(
  query: readonly QueryTerm[],
  order: readonly string[],
  candidates: readonly Candidate[],
  collection: Collection,
): Ranked[] {
  const scorer = new Scorer(query, order, collection)
  const texts = candidates.map((candidate) => new CountedText(candidate))
  const weights = new Map(query.map(({ text, count }) => [text, saturate(count)]))
  const first = scorer.sort(texts, weights)
  return scorer.sort(texts, scorer.widen(weights, first))
}

class CountedText {
  readonly key: number
  readonly terms: readonly string[]
  readonly counts = new Map<string, number>()

  constructor({ key, terms }: Candidate) {
    this.key = key
    this.terms = terms
    for (const term of terms) this.counts.set(term, (this.counts.get(term) ?? 0) + 1)
  }
}

interface Scored extends Ranked {
  readonly text: CountedText
}

class Scorer {
  readonly #collection: Collection
  readonly #frequencies: Map<string, number>
  readonly #pairs: ReadonlyMap<string, ReadonlySet<string>>
  readonly #exact: readonly string[]

  constructor(query: readonly QueryTerm[], order: readonly string[], collection: Collection) {
    this.#collection = collection
    this.#frequencies = new Map(query.map(({ text, frequency }) => [text, frequency]))
    this.#pairs = pairsOf(order)
    const common = Math.max(3, collection.size * EXACT_COMMON)
    const exact = query.filter(({ isName, frequency }) => isName && frequency > 0 && frequency <= common)
    this.#exact = query.length <= SHORT_QUERY_TERMS ? exact.map(({ text }) => text) : []
  }

  sort(texts: readonly CountedText[], weights: ReadonlyMap<string, number>): Scored[] {
    const scored = texts.map((text) => ({ key: text.key, text, score: this.#score(text, weights) }))
    return scored.sort((a, b) => b.score - a.score || a.key - b.key)
  }

  /** What the best texts have in common, beside what was asked for. */
  widen(weights: ReadonlyMap<string, number>, ranked: readonly Scored[]): Map<string, number> {
    const best = ranked.slice(0, FEEDBACK_TEXTS).filter(({ score }) => score > 0)
    const total = best.reduce((sum, { score }) => sum + score, 0)
    const names = [...new Set(best.flatMap(({ text }) => [...text.counts.keys()]))].filter((term) => term.length > 1)
    this.#learn(names)
    const values = new Map<string, number>()
    for (const { text, score } of best) {
      for (const [term, count] of text.counts) {
        const frequency = this.#frequencies.get(term) ?? 0
        if (frequency === 0 || frequency > this.#collection.size * FEEDBACK_COMMON) continue
        const value = (score / total) * (count / text.terms.length) * Math.log(this.#collection.size / frequency)
        values.set(term, (values.get(term) ?? 0) + value)
      }
    }
    const chosen = [...values].sort(([, a], [, b]) => b - a).slice(0, FEEDBACK_TERMS)
    const sum = chosen.reduce((all, [, value]) => all + value, 0)
    const asked = [...weights.values()].reduce((all, weight) => all + weight, 0)
    const own = weights.size / (weights.size + 1)
    const widened = new Map([...weights].map(([term, weight]) => [term, own * weight]))
    for (const [term, value] of chosen) {
      widened.set(term, (widened.get(term) ?? 0) + (1 - own) * asked * (value / sum))
    }
    return widened
  }

  #score(text: CountedText, weights: ReadonlyMap<string, number>): number {
    const { size, meanLength } = this.#collection
    const norm = K1 * (1 - B + (B * text.terms.length) / Math.max(1, meanLength))
    let score = 0
    for (const [term, weight] of weights) {
      const count = text.counts.get(term)
      if (count === undefined) continue
      const frequency = this.#frequencies.get(term) ?? 1
      const rarity = Math.log(1 + (size - frequency + 0.5) / (frequency + 0.5))
      score += weight * rarity * ((count * (K1 + 1)) / (count + norm))
    }
    for (const term of this.#exact) if (text.counts.has(term)) score += 1_000
    return score + NEIGHBOUR_WEIGHT * this.#neighbours(text)
  }

  #neighbours({ terms }: CountedText): number {
    if (this.#pairs.size === 0) return 0
    const seen = new Set<string>()
    let sum = 0
    for (let at = 0; at + 1 < terms.length; at++) {
      const [left = '', right = ''] = [terms[at], terms[at + 1]]
      if (this.#pairs.get(left)?.has(right) !== true) continue
      const pair = `${left} ${right}`
      if (seen.has(pair)) continue
      seen.add(pair)
      const common = Math.max(this.#frequencyOf(left), this.#frequencyOf(right))
      sum += Math.log(1 + this.#collection.size / Math.max(1, common))
    }
    return sum
  }

  #frequencyOf(term: string): number {
    const known = this.#frequencies.get(term)
    if (known !== undefined) return known
    this.#learn([term])
    return this.#frequencies.get(term) ?? 0
  }

  #learn(terms: readonly string[]): void {
    const unknown = terms.filter((term) => !this.#frequencies.has(term))
    if (unknown.length === 0) return
    const found = this.#collection.frequenciesOf(unknown)
    for (const term of unknown) this.#frequencies.set(term, found.get(term) ?? 0)
  }
}

function pairsOf(order: readonly string[]): Map<string, Set<string>> {
  const pairs = new Map<string, Set<string>>()
  for (let at = 0; at + 1 < order.length; at++) {
    const [left = '', right = ''] = [order[at], order[at + 1]]
    if (left === right) continue
    const rights = pairs.get(left) ?? new Set()
    pairs.set(left, rights.add(right))
  }
  return pairs
}

/** Twice is more than once, and ten times is hardly more than nine. */
const saturate = (count: number): number => (count * (K1 + 1)) / (count + K1)
