/**
 * How many ways a regular expression may try before it gives up, at worst: `factor × (length of the text)^degree`, each of
 * `length` steps. It is an upper bound, counted and not measured: every repetition multiplies by how often it may repeat,
 * every choice by its number, and a repetition of what can itself match in several ways is unbounded. What cannot be
 * read is unbounded too.
 */
export interface PatternCost {
  readonly factor: number
  readonly degree: number
  readonly length: number
}

const UNBOUNDED: PatternCost = { factor: Number.POSITIVE_INFINITY, degree: 0, length: 1 }
const ONE_WAY: PatternCost = { factor: 1, degree: 0, length: 1 }
/** A repetition of more than this counts as one without a limit. */
const MANY = 100
/** Longer ones, and deeper, are not worth the reading. */
const MAX_LENGTH = 1_000
const MAX_DEPTH = 20

export function estimatePattern(pattern: string): PatternCost {
  if (pattern.length > MAX_LENGTH) return UNBOUNDED
  const reader = new PatternReader(pattern)
  const cost = reader.readAll()
  // Where it may begin anywhere it is tried at every character.
  return reader.isAnchored ? cost : { ...cost, degree: cost.degree + 1 }
}

/** For a text of this length. */
export function stepsOf({ factor, degree, length }: PatternCost, characters: number): number {
  return factor * (characters + 2) ** Math.max(1, degree) * Math.min(length, characters + 2)
}

class PatternReader {
  readonly #text: string
  #at = 0
  #choices = 0

  constructor(text: string) {
    this.#text = text
  }

  /** After it was read. */
  get isAnchored(): boolean {
    return this.#text.startsWith('^') && this.#choices === 0
  }

  readAll(): PatternCost {
    const cost = this.#readChoices(0)
    return this.#at === this.#text.length ? cost : UNBOUNDED
  }

  #readChoices(depth: number): PatternCost {
    if (depth > MAX_DEPTH) return UNBOUNDED
    let { factor, degree, length } = this.#readSequence(depth)
    while (this.#skip('|')) {
      if (depth === 0) this.#choices++
      const other = this.#readSequence(depth)
      factor += other.factor
      degree = Math.max(degree, other.degree)
      length = Math.max(length, other.length)
    }
    return { factor, degree, length }
  }

  #readSequence(depth: number): PatternCost {
    let factor = 1
    let degree = 0
    let length = 1
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] ?? '')) {
      const part = this.#readRepetition(this.#readAtom(depth))
      factor *= part.factor
      degree += part.degree
      length += part.length
    }
    return { factor, degree, length }
  }

  #readAtom(depth: number): PatternCost {
    if (this.#skip('(')) return this.#readGroup(depth)
    if (this.#skip('[')) return this.#readClass()
    if (this.#skip('\\')) {
      const escaped = this.#text[this.#at++]
      // A reference back is as long as what it refers to.
      return escaped === undefined || /[1-9k]/.test(escaped) ? UNBOUNDED : this.#readBraces(escaped)
    }
    this.#at++
    return ONE_WAY
  }

  /** `\p{L}`, `\u{1f600}` */
  #readBraces(escaped: string): PatternCost {
    if (!'pPu'.includes(escaped) || this.#text[this.#at] !== '{') return ONE_WAY
    const end = this.#text.indexOf('}', this.#at)
    if (end < 0) return UNBOUNDED
    this.#at = end + 1
    return ONE_WAY
  }

  #readGroup(depth: number): PatternCost {
    if (this.#skip('?')) {
      const opening = /^(?::|=|!|<=|<!|<\w+>)/.exec(this.#text.slice(this.#at, this.#at + MAX_DEPTH))
      if (opening === null) return UNBOUNDED
      this.#at += opening[0].length
    }
    const inner = this.#readChoices(depth + 1)
    return this.#skip(')') ? inner : UNBOUNDED
  }

  #readClass(): PatternCost {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++]
      if (character === ']') return ONE_WAY
      if (character === '\\') this.#at++
    }
    return UNBOUNDED
  }

  #readRepetition(atom: PatternCost): PatternCost {
    const [least, most] = this.#readBounds()
    if (least === 1 && most === 1) return atom
    const counts = most - least + 1
    const length = atom.length * Math.max(1, Number.isFinite(most) ? most : least)
    if (atom.factor === 1 && atom.degree === 0) {
      return counts > MANY ? { factor: 1, degree: 1, length } : { factor: counts, degree: 0, length }
    }
    if (most > MANY) return UNBOUNDED
    return { factor: atom.factor ** most * counts, degree: atom.degree * most, length }
  }

  #readBounds(): [least: number, most: number] {
    let bounds: [number, number] = [1, 1]
    if (this.#skip('*')) bounds = [0, Number.POSITIVE_INFINITY]
    else if (this.#skip('+')) bounds = [1, Number.POSITIVE_INFINITY]
    else if (this.#skip('?')) bounds = [0, 1]
    else {
      const braces = /^\{(\d{1,9})(,?)(\d{0,9})\}/.exec(this.#text.slice(this.#at, this.#at + 30))
      if (braces === null) return bounds
      const [whole, least = '', comma = '', most = ''] = braces
      this.#at += whole.length
      const end = most === '' ? (comma === '' ? Number(least) : Number.POSITIVE_INFINITY) : Number(most)
      bounds = [Number(least), end]
    }
    // Lazy or greedy: the ways are the same.
    this.#skip('?')
    return bounds
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }
}
