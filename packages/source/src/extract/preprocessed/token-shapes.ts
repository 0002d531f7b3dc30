/** What tokens of C look like together: names, brackets, declarations. */
import { type CTokens, SIGN, WORD } from './c-tokens.ts'

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
const MAX_ANGLES = 200
/** Tokens. More than that are no arguments, and looking for their end again and again would take for ever. */
const MAX_BRACKETS = 1_000

export class TokenShapes {
  readonly text: string
  readonly tokens: CTokens

  constructor(text: string, tokens: CTokens) {
    this.text = text
    this.tokens = tokens
  }

  /** '': it is no word. */
  word(token: number): string {
    const { kinds, starts, ends } = this.tokens
    return kinds[token] === WORD ? this.text.slice(starts[token], ends[token]) : ''
  }

  /** '': it is none. */
  sign(token: number): string {
    const { kinds, starts } = this.tokens
    return kinds[token] === SIGN ? (this.text[starts[token] ?? 0] ?? '') : ''
  }

  /** Before a type, or a part of one that says nothing alone. */
  isQualifier(token: number): boolean {
    return QUALIFIERS.has(this.word(token))
  }

  isBuiltIn(token: number): boolean {
    return BUILT_IN.has(this.word(token))
  }

  isKeyword(token: number): boolean {
    return OTHERS.has(this.word(token))
  }

  isName(token: number): boolean {
    const word = this.word(token)
    return /^[A-Za-z_]/.test(word) && !OTHERS.has(word) && !QUALIFIERS.has(word) && !BUILT_IN.has(word)
  }

  /** Written as macros are. */
  isCapital(token: number): boolean {
    return /^_{0,2}[A-Z][A-Z0-9_]{2,}$/.test(this.word(token))
  }

  /** How a function is called, between its type and its name. */
  isConvention(token: number): boolean {
    return this.isCapital(token) || /^__(?:cdecl|stdcall|fastcall|vectorcall|thiscall)$/.test(this.word(token))
  }

  isPointer(token: number): boolean {
    const sign = this.sign(token)
    return sign === '*' || sign === '&' || this.word(token) === 'const'
  }

  /** No other token in its line. */
  isAloneInLine(token: number): boolean {
    return this.isFirstInLine(token) && (token + 1 >= this.tokens.kinds.length || this.isFirstInLine(token + 1))
  }

  isFirstInLine(token: number): boolean {
    const { starts, ends } = this.tokens
    const before = this.text.lastIndexOf('\n', (starts[token] ?? 0) - 1)
    return token === 0 || (ends[token - 1] ?? 0) <= before
  }

  /** `type name`, and what may follow a name. */
  isDeclaration(from: number): boolean {
    let token = from
    let hasType = false
    for (; this.isQualifier(token) || this.isBuiltIn(token); token++) hasType ||= this.isBuiltIn(token)
    if (!hasType) {
      const after = this.skipPath(token)
      if (after === token) return false
      token = after
    }
    while (this.isPointer(token)) token++
    if (this.word(token) === 'operator') return true
    if (this.isConvention(token) && this.isName(token + 1)) token++
    const isWrapped = this.sign(token) === '('
    if (isWrapped) token++
    while (isWrapped && this.sign(token) === '*') token++
    const after = this.skipPath(token)
    if (after === token) return false
    const next = this.sign(after)
    return isWrapped ? next === ')' && this.sign(after + 1) === '(' : next !== '' && ';=[(,{'.includes(next)
  }

  /** After `name`, `a::b<c>::d`, `a::~a`; the same token: none begins here. */
  skipPath(from: number): number {
    if (!this.isName(from)) return from
    let token = from + 1
    for (;;) {
      if (this.sign(token) === '<') {
        const after = this.skipAngles(token)
        if (after === token) return token
        token = after
      }
      if (this.sign(token) !== ':' || this.sign(token + 1) !== ':') return token
      const part = this.sign(token + 2) === '~' ? token + 3 : token + 2
      if (this.word(part) === 'operator') return part
      if (!this.isName(part)) return token
      token = part + 1
    }
  }

  /** After the brackets that open here; the same token: none do, or they are not closed. */
  skipBrackets(from: number): number {
    if (this.sign(from) !== '(') return from
    let depth = 0
    for (let token = from; token < Math.min(from + MAX_BRACKETS, this.tokens.kinds.length); token++) {
      const sign = this.sign(token)
      if (sign === '(') depth++
      else if (sign === ')') depth--
      // Not closed: somebody else's.
      else if (sign === '{' || sign === '}') return from
      if (depth === 0) return token + 1
    }
    return from
  }

  skipAngles(from: number): number {
    let depth = 0
    for (let token = from; token < Math.min(from + MAX_ANGLES, this.tokens.kinds.length); token++) {
      const sign = this.sign(token)
      if (sign === '<') depth++
      else if (sign === '>') depth--
      else if (sign === '(') token = Math.max(token, this.skipBrackets(token) - 1)
      else if (sign === ';' || sign === '{') return from
      if (depth === 0) return token + 1
    }
    return from
  }
}
