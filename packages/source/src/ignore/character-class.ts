/** `[a-z]`, `[!0-9]`, `[[:alpha:]]` in a glob, by git's reading. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
}

export class CharacterClass {
  readonly #isNegated: boolean
  readonly #ranges: (readonly [string, string])[] = []
  readonly #named: RegExp[] = []

  constructor(isNegated: boolean) {
    this.#isNegated = isNegated
  }

  addRange(first: string, last: string): void {
    this.#ranges.push([first, last])
  }

  /** false: there is no such name. */
  addNamed(name: string): boolean {
    const pattern = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
    if (pattern !== undefined) this.#named.push(pattern)
    return pattern !== undefined
  }

  has(character: string): boolean {
    const isIn =
      this.#ranges.some(([first, last]) => character >= first && character <= last) ||
      this.#named.some((pattern) => pattern.test(character))
    return isIn !== this.#isNegated
  }
}

/** `start` is the place of its `[`, `end` the one after its `]`. Undefined: it does not end, or names what is not known. */
export function readClass(pattern: string, start: number): { set: CharacterClass; end: number } | undefined {
  let at = start + 1
  const isNegated = pattern.charAt(at) === '!' || pattern.charAt(at) === '^'
  if (isNegated) at++
  const set = new CharacterClass(isNegated)
  let previous = ''
  let isFirst = true
  for (; ; at++) {
    const character = pattern.charAt(at)
    if (character === '') return undefined
    if (character === ']' && !isFirst) return { set, end: at + 1 }
    isFirst = false
    const next = pattern.charAt(at + 1)
    if (character === '\\') {
      if (next === '') return undefined
      set.addRange(next, next)
      previous = next
      at++
    } else if (character === '-' && previous !== '' && next !== '' && next !== ']') {
      at++
      if (next === '\\') at++
      const last = pattern.charAt(at)
      if (last === '') return undefined
      set.addRange(previous, last)
      previous = ''
    } else if (character === '[' && next === ':') {
      const close = pattern.indexOf(']', at + 2)
      if (close < 0) return undefined
      if (close - at - 3 < 0 || pattern.charAt(close - 1) !== ':') {
        set.addRange('[', '[')
        previous = '['
        continue
      }
      if (!set.addNamed(pattern.slice(at + 2, close - 1))) return undefined
      at = close
      previous = ''
    } else {
      set.addRange(character, character)
      previous = character
    }
  }
}
