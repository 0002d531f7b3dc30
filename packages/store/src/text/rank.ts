/**
 * The order of what a search has found, the same for every engine: an engine finds candidates by its own rough order, this puts
 * them in the final one. Four measured ideas, each of which helps on all public collections it was tried on (bench/results):
 *
 * 1. BM25 with its usual constants, where a word that the query repeats counts more, but ever less;
 * 2. the beginning: what a text is about stands in its first words, which count once more;
 * 3. neighbours: two words that stand side by side in the query and close to each other in the text, in that order;
 * 4. feedback: words that the five best texts have in common count a little, the less the more words the query has itself.
 *
 * An exact name of a short query (an error code, an identifier) comes before everything that lacks it.
 */
import type { TextQuery } from './text-query.ts'

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
  /** 0 to 1: how much of the query stands in it, by rarity. */
  readonly share: number
  /** It has a name that the query asks for. */
  readonly isExact: boolean
}

export const MAX_CANDIDATES = 100

const K1 = 1.2
const B = 0.75
/** As many as a title or a signature has. */
const BEGINNING = 12
const NEIGHBOUR_WEIGHT = 0.5
/** Places from one to the other; who is further away counts less. */
const NEIGHBOUR_REACH = 3
const FEEDBACK_TEXTS = 5
/** So many of their words, those that they say most, are looked up. */
const FEEDBACK_HEARD = 40
const FEEDBACK_TERMS = 10
/** What stands in more than this part of all texts tells nothing about a few of them. */
const FEEDBACK_COMMON = 0.1
/** Who writes more than this pastes a text: a name in it is one of many. */
const SHORT_QUERY_TERMS = 6
const EXACT_COMMON = 0.05

export function rank(query: TextQuery, candidates: readonly Candidate[], collection: Collection): Ranked[] {
  const scorer = new Scorer(query, collection)
  const texts = candidates.map((candidate) => new CountedText(candidate))
  const weights = new Map(query.rarest.map(({ text, count }) => [text, saturate(count)]))
  const first = scorer.sort(texts, weights)
  return scorer.sort(texts, scorer.widen(weights, first)).map(({ text, key, score }) => ({
    key,
    score,
    share: scorer.shareOf(text),
    isExact: scorer.isExact(text),
  }))
}

class CountedText {
  readonly key: number
  readonly terms: readonly string[]
  readonly counts = new Map<string, number>()
  readonly beginning: ReadonlySet<string>

  constructor({ key, terms }: Candidate) {
    this.key = key
    this.terms = terms
    for (const term of terms) this.counts.set(term, (this.counts.get(term) ?? 0) + 1)
    this.beginning = new Set(terms.slice(0, BEGINNING))
  }
}

interface Scored {
  readonly key: number
  readonly score: number
  readonly text: CountedText
}

class Scorer {
  readonly #collection: Collection
  readonly #frequencies: Map<string, number>
  readonly #pairs: ReadonlyMap<string, ReadonlySet<string>>
  readonly #exact: readonly string[]
  /** How much each term of the query is of the whole of it. */
  readonly #parts: ReadonlyMap<string, number>

  constructor({ terms, rarest, order }: TextQuery, collection: Collection) {
    this.#collection = collection
    this.#frequencies = new Map(terms.map(({ text, frequency }) => [text, frequency]))
    this.#pairs = pairsOf(order)
    const common = Math.max(3, collection.size * EXACT_COMMON)
    const exact = rarest.filter(({ isName, frequency }) => isName && frequency <= common)
    this.#exact = rarest.length <= SHORT_QUERY_TERMS ? exact.map(({ text }) => text) : []
    const rarities = terms.map(({ text, frequency }) => [text, this.#rarity(frequency)] as const)
    const whole = rarities.reduce((sum, [, rarity]) => sum + rarity, 0)
    this.#parts = new Map(rarities.map(([text, rarity]) => [text, rarity / whole]))
  }

  shareOf({ counts }: CountedText): number {
    let share = 0
    for (const [term, part] of this.#parts) if (counts.has(term)) share += part
    return Math.min(1, share)
  }

  isExact({ counts }: CountedText): boolean {
    return this.#exact.some((term) => counts.has(term))
  }

  sort(texts: readonly CountedText[], weights: ReadonlyMap<string, number>): Scored[] {
    const scored = texts.map((text) => ({ key: text.key, text, score: this.#score(text, weights) }))
    return scored.sort((a, b) => b.score - a.score || a.key - b.key)
  }

  /** What the best texts have in common, beside what was asked for. */
  widen(weights: ReadonlyMap<string, number>, ranked: readonly Scored[]): Map<string, number> {
    const best = ranked.slice(0, FEEDBACK_TEXTS).filter(({ score }) => score > 0)
    const total = best.reduce((sum, { score }) => sum + score, 0)
    const said = new Map<string, number>()
    for (const { text, score } of best) {
      for (const [term, count] of text.counts) {
        if (term.length > 1) said.set(term, (said.get(term) ?? 0) + (score / total) * (count / text.terms.length))
      }
    }
    const heard = [...said].sort(([, a], [, b]) => b - a).slice(0, FEEDBACK_HEARD)
    this.#learn(heard.map(([term]) => term))
    const chosen = heard
      .map(([term, value]) => [term, value * this.#tells(term)] as const)
      .filter(([, value]) => value > 0)
      .sort(([, a], [, b]) => b - a)
      .slice(0, FEEDBACK_TERMS)
    const sum = chosen.reduce((all, [, value]) => all + value, 0)
    const asked = [...weights.values()].reduce((all, weight) => all + weight, 0)
    const own = weights.size / (weights.size + 1)
    const widened = new Map([...weights].map(([term, weight]) => [term, own * weight]))
    for (const [term, value] of chosen) {
      widened.set(term, (widened.get(term) ?? 0) + (1 - own) * asked * (value / sum))
    }
    return widened
  }

  /** 0: it stands nowhere else, or nearly everywhere. */
  #tells(term: string): number {
    const frequency = this.#frequencies.get(term) ?? 0
    const { size } = this.#collection
    return frequency === 0 || frequency > size * FEEDBACK_COMMON ? 0 : Math.log(size / frequency)
  }

  #score(text: CountedText, weights: ReadonlyMap<string, number>): number {
    const { meanLength } = this.#collection
    const norm = K1 * (1 - B + (B * text.terms.length) / Math.max(1, meanLength))
    let score = 0
    for (const [term, weight] of weights) {
      const count = text.counts.get(term)
      if (count === undefined) continue
      const weighed = count + (text.beginning.has(term) ? 1 : 0)
      score += weight * this.#rarity(this.#frequencies.get(term) ?? 1) * ((weighed * (K1 + 1)) / (weighed + norm))
    }
    for (const term of this.#exact) if (text.counts.has(term)) score += 1_000
    return score + NEIGHBOUR_WEIGHT * this.#neighbours(text)
  }

  /** Never 0: while others write, a term may stand in more texts than were counted. */
  #rarity(frequency: number): number {
    const { size } = this.#collection
    return Math.log(1 + (Math.max(0, size - frequency) + 0.5) / (frequency + 0.5))
  }

  #neighbours({ terms }: CountedText): number {
    if (this.#pairs.size === 0) return 0
    /** The least distance of each pair. */
    const seen = new Map<string, number>()
    for (const [at, left] of terms.entries()) {
      const rights = this.#pairs.get(left)
      if (rights === undefined) continue
      for (let distance = 1; distance <= NEIGHBOUR_REACH; distance++) {
        const right = terms[at + distance]
        if (right === undefined || !rights.has(right)) continue
        const pair = `${left} ${right}`
        if (distance < (seen.get(pair) ?? Number.POSITIVE_INFINITY)) seen.set(pair, distance)
      }
    }
    let sum = 0
    for (const [pair, distance] of seen) {
      const common = Math.max(...pair.split(' ').map((term) => this.#frequencyOf(term)), 1)
      sum += Math.log(1 + this.#collection.size / common) / distance
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
