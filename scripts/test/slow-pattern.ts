/**
 * Whether a regular expression can take more than linear time, as far as its shape tells. It is read into an automaton of its
 * characters. Where one text leads round a loop, and from it round a second one, an engine that goes back tries
 * every way to share the text between the two: quadratic at least, and exponential where both are the same. Where a match
 * may begin anywhere, the beginning is such a loop.
 *
 * Not seen: what is slow by a bounded factor (`{0,200}` is no loop here), and references back, which we do not use.
 * Assertions are taken to hold, so a pattern may be blamed that one of them saves.
 */
type Node =
  | { readonly type: 'set'; readonly set: ReadonlySet<number> }
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | { readonly type: 'loop' | 'maybe'; readonly part: Node }
  /** It may fail: what stands before it is not the end. */
  | { readonly type: 'assertion'; readonly not?: ReadonlySet<number> }

/** One of each kind of character. */
const SAMPLES = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)),
  ...'éÀß日\u2028\ufeff\u202e😀',
]
const WORD = samplesOf(/^\w$/)
const LINE_END = samplesOf(/^[\n\r\u2028]$/)
const ALL: ReadonlySet<number> = new Set(SAMPLES.keys())

/** Undefined: it is linear. */
export function findSlowness(pattern: string, flags: string): 'polynomial' | 'exponential' | undefined {
  const { alternatives, inner } = new PatternReader(pattern, flags).readAll()
  const isAnchored = flags.includes('y')
  const nodes = [...alternatives.map((node) => withBeginning(node, isAnchored, flags)), ...inner]
  return new Automaton({ type: 'choice', parts: nodes }).findSlowness()
}

/** In front of it, whatever a match that begins later is tried after. */
function withBeginning(node: Node, isAnchored: boolean, flags: string): Node {
  const first = node.type === 'sequence' ? node.parts[0] : node
  const isStart = first?.type === 'assertion' && first.not !== undefined
  if (isAnchored || (isStart && first.not.size === ALL.size && !flags.includes('m'))) return node
  const before: Node = isStart
    ? {
        type: 'sequence',
        parts: [
          { type: 'loop', part: { type: 'set', set: ALL } },
          { type: 'set', set: without(first.not) },
        ],
      }
    : { type: 'loop', part: { type: 'set', set: ALL } }
  return { type: 'sequence', parts: [{ type: 'maybe', part: before }, node] }
}

function without(set: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...ALL].filter((sample) => !set.has(sample)))
}

function samplesOf(pattern: RegExp): ReadonlySet<number> {
  return new Set(SAMPLES.flatMap((sample, index) => (pattern.test(sample) ? [index] : [])))
}

class PatternReader {
  readonly #text: string
  readonly #flags: string
  /** Of what is looked at ahead or behind. */
  readonly #inner: Node[] = []
  #at = 0

  constructor(text: string, flags: string) {
    this.#text = text
    this.#flags = flags
  }

  readAll(): { alternatives: readonly Node[]; inner: readonly Node[] } {
    const alternatives = this.#readChoices()
    if (this.#at < this.#text.length) throw new Error(`/${this.#text}/ cannot be read from ${this.#at} on`)
    return { alternatives, inner: this.#inner }
  }

  #readChoices(): Node[] {
    const choices = [this.#readSequence()]
    while (this.#skip('|')) choices.push(this.#readSequence())
    return choices
  }

  #readSequence(): Node {
    const parts: Node[] = []
    while (this.#at < this.#text.length && !'|)'.includes(this.#text.charAt(this.#at))) {
      parts.push(this.#readRepetition(this.#readAtom()))
    }
    return { type: 'sequence', parts }
  }

  #readAtom(): Node {
    const start = this.#at
    if (this.#skip('^')) return { type: 'assertion', not: this.#flags.includes('m') ? without(LINE_END) : ALL }
    if (this.#skip('$')) return { type: 'assertion' }
    if (this.#skip('(')) return this.#readGroup()
    if (this.#skip('[')) {
      while (this.#text[this.#at] !== ']') this.#at += this.#text[this.#at] === '\\' ? 2 : 1
      this.#at++
      return this.#toSet(start)
    }
    if (!this.#skip('\\')) {
      this.#at += (this.#text.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1
      return this.#toSet(start)
    }
    if (this.#skip('b')) return { type: 'assertion', not: WORD }
    if (this.#skip('B')) return { type: 'assertion' }
    const long = /^(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z])/.exec(this.#text.slice(this.#at))
    this.#at += long?.[0].length ?? 1
    return this.#toSet(start)
  }

  #toSet(start: number): Node {
    const flags = this.#flags.replace(/[^isuv]/g, '')
    return { type: 'set', set: samplesOf(new RegExp(`^(?:${this.#text.slice(start, this.#at)})$`, flags)) }
  }

  #readGroup(): Node {
    const [opening = ''] = /^\?(?::|=|!|<=|<!|<\w+>)/.exec(this.#text.slice(this.#at)) ?? []
    this.#at += opening.length
    const choices = this.#readChoices()
    if (!this.#skip(')')) throw new Error(`/${this.#text}/ has a group without an end`)
    if (opening === '' || opening === '?:' || opening.endsWith('>')) return { type: 'choice', parts: choices }
    this.#inner.push(...choices)
    const [only] = choices
    const single =
      only?.type === 'sequence' && choices.length === 1 && only.parts.length === 1 ? only.parts[0] : undefined
    return opening === '?<!' && single?.type === 'set' ? { type: 'assertion', not: single.set } : { type: 'assertion' }
  }

  #readRepetition(part: Node): Node {
    const bounds = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#text.slice(this.#at))
    if (bounds === null) return part
    const [whole, least, comma, most] = bounds
    this.#at += whole.length
    const hasEnd = whole.startsWith('?') || (least !== undefined && (comma === '' || most !== ''))
    const isOptional = whole.startsWith('*') || whole.startsWith('?') || least === '0'
    const repeated: Node = hasEnd ? part : { type: 'loop', part }
    return isOptional ? { type: 'maybe', part: repeated } : repeated
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }
}

/** What of a part is met first and last; `last` without what an assertion follows. */
interface Ends {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isEmpty: boolean
  readonly mayFail: boolean
}

class Automaton {
  /** Of each place, the kinds of characters that it takes, as bits. */
  readonly #kinds: bigint[] = []
  readonly #sets: ReadonlySet<number>[] = []
  readonly #next: Set<number>[] = []
  /** An assertion stands behind them. */
  readonly #guarded = new Set<number>()
  /** Where whatever came so far is a match. */
  readonly #matches: ReadonlySet<number>
  /** A loop within a loop leads the same way twice. */
  #isDoubled = false

  constructor(node: Node) {
    const { last } = this.#build(node)
    this.#matches = new Set(last.filter((place) => !this.#guarded.has(place)))
    this.#sortKinds()
  }

  findSlowness(): 'polynomial' | 'exponential' | undefined {
    if (this.#isDoubled) return 'exponential'
    const loops = this.#sets.map((_, place) => place).filter((place) => this.#reaches([place], [place]))
    const open = loops.filter((place) => !this.#matches.has(place))
    if (open.some((place) => this.#isAmbiguous(place))) return 'exponential'
    const isSlow = open.some((other) =>
      loops.some((one) => one !== other && this.#reaches([one, one, other], [one, other, other])),
    )
    return isSlow ? 'polynomial' : undefined
  }

  #build(node: Node): Ends {
    switch (node.type) {
      case 'set': {
        const place = this.#sets.push(node.set) - 1
        this.#next.push(new Set())
        return { first: [place], last: [place], isEmpty: false, mayFail: false }
      }
      case 'assertion':
        return { first: [], last: [], isEmpty: true, mayFail: true }
      case 'maybe':
        return { ...this.#build(node.part), isEmpty: true }
      case 'loop': {
        const ends = this.#build(node.part)
        this.#connect(ends.last, ends.first)
        return ends
      }
      case 'choice': {
        const all = node.parts.map((part) => this.#build(part))
        return {
          first: all.flatMap(({ first }) => first),
          last: all.flatMap(({ last }) => last),
          isEmpty: all.some(({ isEmpty }) => isEmpty),
          mayFail: all.some(({ mayFail }) => mayFail),
        }
      }
      case 'sequence':
        return node.parts.reduce<Ends>((before, part) => this.#append(before, this.#build(part)), {
          first: [],
          last: [],
          isEmpty: true,
          mayFail: false,
        })
    }
  }

  #append(before: Ends, after: Ends): Ends {
    this.#connect(before.last, after.first)
    if (after.mayFail) for (const place of before.last) this.#guarded.add(place)
    return {
      first: before.isEmpty ? [...before.first, ...after.first] : before.first,
      last: after.isEmpty ? [...before.last, ...after.last] : after.last,
      isEmpty: before.isEmpty && after.isEmpty,
      mayFail: before.mayFail || after.mayFail,
    }
  }

  #connect(from: readonly number[], to: readonly number[]): void {
    for (const place of from) {
      for (const next of to) {
        if (this.#next[place]?.has(next)) this.#isDoubled = true
        this.#next[place]?.add(next)
      }
    }
  }

  /** Characters that every place takes or leaves alike are of one kind. */
  #sortKinds(): void {
    const kinds = new Map<string, number>()
    for (const sample of ALL) {
      const taken = this.#sets.map((set) => (set.has(sample) ? '1' : '0')).join('')
      if (!kinds.has(taken)) kinds.set(taken, kinds.size)
    }
    for (const place of this.#sets.keys()) {
      let bits = 0n
      for (const [taken, kind] of kinds) if (taken[place] === '1') bits |= 1n << BigInt(kind)
      this.#kinds.push(bits)
    }
  }

  /** Two ways round from one place to itself, by one text. */
  #isAmbiguous(place: number): boolean {
    const others = new Set<number>()
    for (const [one, other] of this.#walk([place, place]))
      if (one !== other) others.add((one ?? 0) * this.#sets.length + (other ?? 0))
    return [...others].some((pair) =>
      this.#reaches([Math.floor(pair / this.#sets.length), pair % this.#sets.length], [place, place]),
    )
  }

  /** Whether one text, of at least one character, leads from each of these places to the one beside it. */
  #reaches(from: readonly number[], to: readonly number[]): boolean {
    for (const places of this.#walk(from)) if (places.every((place, index) => place === to[index])) return true
    return false
  }

  /** Wherever one text leads from these places. */
  *#walk(from: readonly number[]): Generator<readonly number[]> {
    const seen = new Set<number>()
    const open = [from]
    for (let places = open.pop(); places !== undefined; places = open.pop()) {
      for (const next of this.#step(places, 0, -1n)) {
        const key = next.reduce((all, place) => all * this.#sets.length + place, 0)
        if (seen.has(key)) continue
        seen.add(key)
        yield next
        open.push(next)
      }
    }
  }

  #step(places: readonly number[], index: number, common: bigint): number[][] {
    const place = places[index]
    if (place === undefined) return [[]]
    const found: number[][] = []
    for (const next of this.#next[place] ?? []) {
      const both = common & (this.#kinds[next] ?? 0n)
      if (both !== 0n) for (const rest of this.#step(places, index + 1, both)) found.push([next, ...rest])
    }
    return found
  }
}
