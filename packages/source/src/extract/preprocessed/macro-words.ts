/**
 * Words of C that can only be macros, because no declaration has so many names: `LUA_API void lua_close(…)`, `class EXPORT Box {`,
 * `int run(void) NOTHROW;`, and calls of macros at the beginning of a line outside of functions.
 */
import { type CTokens, DIRECTIVE, SIGN, WORD } from './c-tokens.ts'

/** Words that stand before a type, or are a part of one. */
const QUALIFIERS = new Set(
  `const volatile static extern inline register unsigned signed long short struct union enum class typename constexpr virtual
  explicit mutable thread_local friend __inline __inline__ __extension__ _Thread_local restrict`.split(/\s+/),
)
const BUILT_IN = new Set('void char int float double bool long short unsigned signed auto'.split(' '))
/** No macro, and not the type of anything. */
const OTHERS = new Set(
  `if else for while do switch case default break continue return goto typedef sizeof template using namespace public private
  protected operator new delete throw try catch co_return co_await co_yield static_assert _Static_assert asm __asm__ __attribute__
  this override final noexcept concept requires import export module decltype alignas alignof defined`.split(/\s+/),
)
/** What begins a declaration, after a macro without a semicolon. */
const STARTERS = new Set('typedef template namespace using public private protected'.split(' '))

const isCapital = (word: string): boolean => /^[A-Z][A-Z0-9_]{2,}$/.test(word)

/** Where they stand in the text. */
export function findMacroWords(text: string, tokens: CTokens): (readonly [from: number, to: number])[] {
  return new MacroFinder(text, tokens).find()
}

class MacroFinder {
  readonly #text: string
  readonly #tokens: CTokens
  readonly #found: (readonly [number, number])[] = []

  constructor(text: string, tokens: CTokens) {
    this.#text = text
    this.#tokens = tokens
  }

  find(): (readonly [number, number])[] {
    const { kinds } = this.#tokens
    let isStart = true
    let isControl = false
    for (let token = 0; token < kinds.length; token++) {
      if (isStart && kinds[token] === WORD) {
        isControl = OTHERS.has(this.#word(token))
        token = this.#readStart(token)
      }
      const sign = this.#sign(token)
      if (sign === ')' && !isControl) this.#readTail(token + 1)
      if (kinds[token] === WORD && /^(?:class|struct|union|enum)$/.test(this.#word(token))) this.#readHead(token + 1)
      isStart = kinds[token] === DIRECTIVE || sign === ';' || sign === '{' || sign === '}' || this.#isLabel(token)
    }
    return this.#found
  }

  /** From the first word of a statement on: the last token that was judged. */
  #readStart(first: number): number {
    let token = first
    for (let tries = 0; tries < 4; tries++) {
      while (QUALIFIERS.has(this.#word(token))) token++
      const word = this.#word(token)
      if (word === '' || OTHERS.has(word) || BUILT_IN.has(word)) return Math.max(first, token - 1)
      const after = this.#skipBrackets(token + 1)
      const isMacro = this.#isDeclaration(after) || (isCapital(word) && STARTERS.has(this.#word(after)))
      if (!isMacro) {
        if (token === first && after > token + 1 && isCapital(word)) this.#readCall(token, after)
        return Math.max(first, token - 1)
      }
      this.#blank(token, after)
      token = after
    }
    return Math.max(first, token - 1)
  }

  /** `type name`, and what may follow a name. */
  #isDeclaration(from: number): boolean {
    let token = from
    let hasType = false
    for (let word = this.#word(token); QUALIFIERS.has(word) || BUILT_IN.has(word); word = this.#word(token)) {
      hasType ||= BUILT_IN.has(word)
      token++
    }
    if (!hasType) {
      if (!this.#isName(token)) return false
      token++
      if (this.#sign(token) === '<') token = this.#skipAngles(token)
    }
    while (this.#sign(token) === '*' || this.#sign(token) === '&' || this.#word(token) === 'const') token++
    const isWrapped = this.#sign(token) === '('
    if (isWrapped) token++
    while (isWrapped && this.#sign(token) === '*') token++
    if (!this.#isName(token)) return false
    const next = this.#sign(token + 1)
    return isWrapped ? next === ')' && this.#sign(token + 2) === '(' : next !== '' && ';=[(,{'.includes(next)
  }

  /** A macro that is called where no function is: at the beginning of a line. */
  #readCall(token: number, after: number): void {
    const { starts } = this.#tokens
    const start = starts[token] ?? 0
    if (start > 0 && this.#text[start - 1] !== '\n') return
    const next = this.#sign(after)
    if (next === ';') this.#blank(token, after + 1)
    else if (next === '-' && this.#sign(after + 1) === '>') {
      let end = after
      while (end < starts.length && this.#sign(end) !== ';' && this.#sign(end) !== '{') end++
      if (this.#sign(end) === ';') this.#blank(token, end + 1)
    }
  }

  /** After the parameters of a function. */
  #readTail(first: number): void {
    if (!isCapital(this.#word(first))) return
    const after = this.#skipBrackets(first + 1)
    const next = this.#sign(after)
    if (next === ';' || next === '{') this.#blank(first, after)
  }

  /** Between `class` and its name. */
  #readHead(first: number): void {
    if (!isCapital(this.#word(first))) return
    const after = this.#skipBrackets(first + 1)
    const next = this.#sign(after + 1)
    if (this.#isName(after) && (next === '{' || next === ':' || this.#word(after + 1) === 'final'))
      this.#blank(first, after)
  }

  #isLabel(token: number): boolean {
    return (
      this.#sign(token) === ':' && /^(?:public|private|protected|default|signals|slots)$/.test(this.#word(token - 1))
    )
  }

  #isName(token: number): boolean {
    const word = this.#word(token)
    return /^[A-Za-z_]/.test(word) && !OTHERS.has(word) && !QUALIFIERS.has(word) && !BUILT_IN.has(word)
  }

  #skipBrackets(from: number): number {
    if (this.#sign(from) !== '(') return from
    let depth = 0
    for (let token = from; token < this.#tokens.kinds.length; token++) {
      const sign = this.#sign(token)
      if (sign === '(') depth++
      else if (sign === ')') depth--
      // Not closed: somebody else's.
      else if (sign === '{' || sign === '}') return from
      if (depth === 0) return token + 1
    }
    return from
  }

  #skipAngles(from: number): number {
    let depth = 0
    for (let token = from; token < Math.min(from + 40, this.#tokens.kinds.length); token++) {
      const sign = this.#sign(token)
      if (sign === '<') depth++
      else if (sign === '>') depth--
      else if (sign === ';' || sign === '{') return from
      if (depth === 0) return token + 1
    }
    return from
  }

  #blank(from: number, to: number): void {
    const { starts, ends } = this.#tokens
    this.#found.push([starts[from] ?? 0, ends[to - 1] ?? 0])
  }

  #word(token: number): string {
    const { kinds, starts, ends } = this.#tokens
    return kinds[token] === WORD ? this.#text.slice(starts[token], ends[token]) : ''
  }

  #sign(token: number): string {
    const { kinds, starts } = this.#tokens
    return kinds[token] === SIGN ? (this.#text[starts[token] ?? 0] ?? '') : ''
  }
}
