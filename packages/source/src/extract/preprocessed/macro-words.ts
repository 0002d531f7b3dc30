/**
 * Words of C that can only be macros, because no declaration has so many names: `LUA_API void lua_close(…)`, `class EXPORT Box {`,
 * `int run(void) NOTHROW;`, `int CALL run(void)`, `int run P_((int));`, `tree(node) nodes;`, those that stand alone in their line,
 * and calls of macros at the beginning of a line outside of functions.
 */
import { type CTokens, DIRECTIVE, TEXT, WORD } from './c-tokens.ts'
import { type OpenBlock, OpenBlocks } from './open-blocks.ts'
import { TokenShapes } from './token-shapes.ts'

/** What begins a declaration, and comes after no type. */
const BEGINNERS = new Set('typedef template namespace using extern explicit friend virtual'.split(' '))
/** The same, of which some come after a type where people write so. */
const STARTERS = new Set([
  ...BEGINNERS,
  ...'public private protected operator class struct union enum static inline constexpr'.split(' '),
])
/** What may stand between the parameters of a function and a macro that says more of it. */
const AFTER_PARAMETERS = new Set('const noexcept override final volatile'.split(' '))
/** Macros one after the other. */
const MAX_CHAIN = 6
/** Tokens. */
const MAX_INSTANTIATION = 200

/** Where they stand in the text, and what can be read in their place, which is no longer; else blanks. */
export interface MacroWord {
  readonly from: number
  readonly to: number
  readonly as?: string
}

export function findMacroWords(text: string, tokens: CTokens): MacroWord[] {
  return new MacroFinder(text, tokens).find()
}

class MacroFinder {
  readonly #shapes: TokenShapes
  readonly #tokens: CTokens
  readonly #found: MacroWord[] = []
  readonly #blocks: OpenBlocks

  constructor(text: string, tokens: CTokens) {
    this.#tokens = tokens
    this.#shapes = new TokenShapes(text, tokens)
    this.#blocks = new OpenBlocks(this.#shapes)
  }

  find(): MacroWord[] {
    const { kinds } = this.#tokens
    const shapes = this.#shapes
    let isStart = true
    let isControl = false
    for (let token = 0; token < kinds.length; token++) {
      const around = this.#blocks.around
      if (shapes.word(token) === 'template') {
        const after = this.#readTemplate(token, isStart)
        isStart = after > token
        token = Math.max(token, after - 1)
        continue
      }
      if (isStart && shapes.word(token) === 'export') {
        token = this.#readExport(token)
        continue
      }
      if (isStart && kinds[token] === WORD) {
        if (around.kind === 'enum') this.#readEnumerator(token)
        else {
          isControl = shapes.isKeyword(token)
          token = this.#readStart(token, around)
        }
      }
      const sign = shapes.sign(token)
      if (sign === ')' && !isControl) this.#readTail(token + 1)
      if (sign === '(') this.#readOpening(token)
      if (sign === '(' && isDeclaring(shapes, token - 1)) this.#readBehindName(token)
      if (/^(?:class|struct|union|enum)$/.test(shapes.word(token))) this.#readHead(token + 1)
      this.#blocks.enter(token)
      isStart =
        kinds[token] === DIRECTIVE ||
        sign === ';' ||
        sign === '{' ||
        sign === '}' ||
        (sign === ',' && this.#blocks.around.kind === 'enum') ||
        this.#isLabel(token)
    }
    return this.#found
  }

  /** Of C++20: the grammar knows no modules. The last token that was judged; what comes next begins a statement. */
  #readExport(token: number): number {
    const shapes = this.#shapes
    let end = token + 1
    if (/^(?:module|import)$/.test(shapes.word(end))) {
      while (end < token + MAX_INSTANTIATION && !/^[;{}]$/.test(shapes.sign(end))) end++
    }
    const to = shapes.sign(end) === ';' ? end + 1 : token + 1
    this.#blank(token, to)
    return to - 1
  }

  /** After its parameters a declaration begins; without any it makes no name. */
  #readTemplate(token: number, isStart: boolean): number {
    const shapes = this.#shapes
    if (shapes.sign(token + 1) === '<') return shapes.skipAngles(token + 1)
    if (!isStart && shapes.word(token - 1) !== 'extern') return token
    let end = token
    while (end < token + MAX_INSTANTIATION && !/^[;{}]$/.test(shapes.sign(end))) end++
    if (shapes.sign(end) !== ';') return token
    this.#blank(shapes.word(token - 1) === 'extern' ? token - 1 : token, end + 1)
    return end + 1
  }

  /** From the first word of a statement on: the last token that was judged. */
  #readStart(first: number, around: OpenBlock): number {
    const shapes = this.#shapes
    let token = first
    for (let tries = 0; tries < MAX_CHAIN; tries++) {
      while (shapes.isQualifier(token) || this.#isPrefix(token, first)) token++
      if (!shapes.isName(token)) break
      const after = shapes.skipBrackets(token + 1)
      if (!this.#isMacro(token, after, around, MAX_CHAIN)) {
        this.#readCalled(token, after, around, token === first)
        break
      }
      this.#blank(token, after)
      token = after
    }
    this.#readMiddle(token)
    this.#readPointer(token)
    return Math.max(first, token - 1)
  }

  /** `typedef`, and the text of `extern "C"`. */
  #isPrefix(token: number, first: number): boolean {
    const shapes = this.#shapes
    if (token === first) return shapes.word(token) === 'typedef'
    return this.#tokens.kinds[token] === TEXT && shapes.word(token - 1) === 'extern'
  }

  /** What stands here is no type: a whole declaration comes after it. */
  #isMacro(token: number, after: number, around: OpenBlock, depth: number): boolean {
    const shapes = this.#shapes
    if (shapes.isDeclaration(after) || BEGINNERS.has(shapes.word(after))) return true
    // Another macro, and then a declaration.
    const isWord = shapes.isName(after) && (shapes.isCapital(after) || shapes.sign(after + 1) !== '(')
    if (isWord && shapes.isDeclaration(shapes.skipBrackets(after + 1))) return true
    if (shapes.word(after) === 'operator' && shapes.isName(after + 1)) return true
    if (around.kind === 'class' && isConstructor(shapes, after, around.name)) return true
    if (isConstructorPath(shapes, after)) return true
    if (!shapes.isCapital(token) || depth === 0) return false
    if (STARTERS.has(shapes.word(after)) || this.#isAlone(token, after)) return true
    const path = shapes.skipPath(after)
    if (path > after + 1 && (shapes.sign(path) === '(' || shapes.word(path) === 'operator')) return true
    if (!shapes.isCapital(after)) return false
    const next = shapes.skipBrackets(after + 1)
    return next !== after + 1 || shapes.isName(next) || shapes.isBuiltIn(next)
      ? this.#isMacro(after, next, around, depth - 1)
      : false
  }

  /** In its line, and what comes next is not the name of a function of that type. */
  #isAlone(token: number, after: number, depth = MAX_CHAIN): boolean {
    const shapes = this.#shapes
    const { kinds } = this.#tokens
    if (!shapes.isFirstInLine(token) || (after < kinds.length && !shapes.isFirstInLine(after))) return false
    if (after >= kinds.length || kinds[after] === DIRECTIVE) return true
    if (shapes.sign(after) === '}') return shapes.sign(token - 1) !== '{'
    if (STARTERS.has(shapes.word(after)) || shapes.isDeclaration(after)) return true
    if (!shapes.isCapital(after) || depth === 0) return false
    return this.#isAlone(after, shapes.skipBrackets(after + 1), depth - 1)
  }

  /** A macro that is called where a type is expected, or where no function is: at the beginning of a line. */
  #readCalled(token: number, after: number, around: OpenBlock, isFirst: boolean): void {
    const shapes = this.#shapes
    if (after === token + 1) return
    let name = after
    while (shapes.isPointer(name)) name++
    const next = shapes.sign(name + 1)
    if (shapes.isName(name) && (next === ';' || next === ',' || next === '[' || (next === '=' && name > after))) {
      this.#blank(token + 1, after)
      return
    }
    if (!isFirst || !shapes.isCapital(token)) return
    if (around.kind === 'class' && shapes.sign(after) === ';') this.#blank(token, after + 1)
    else this.#readStatement(token, after)
  }

  #readStatement(token: number, after: number): void {
    const shapes = this.#shapes
    const { starts } = this.#tokens
    const start = starts[token] ?? 0
    if (start > 0 && shapes.text[start - 1] !== '\n') return
    const next = shapes.sign(after)
    if (next === ';') this.#blank(token, after + 1)
    else if (next === '-' && shapes.sign(after + 1) === '>') {
      let end = after
      while (end < starts.length && shapes.sign(end) !== ';' && shapes.sign(end) !== '{') end++
      if (shapes.sign(end) === ';') this.#blank(token, end + 1)
    }
  }

  /** Between a type and a name: `int CALL run(`. */
  #readMiddle(from: number): void {
    const shapes = this.#shapes
    let token = from
    let hasType = false
    for (; shapes.isQualifier(token) || shapes.isBuiltIn(token); token++) hasType ||= shapes.isBuiltIn(token)
    if (!hasType && shapes.isName(token)) token++
    while (shapes.isPointer(token)) token++
    if (token === from || !shapes.isName(token)) return
    const after = shapes.skipBrackets(token + 1)
    if (!shapes.isName(after)) return
    const isCalled = after > token + 1
    // The name comes first, with a macro behind it, or behind its parameters, or around them.
    if (shapes.isCapital(after) && (isCalled || !shapes.isCapital(token))) return
    if (isCalled ? !this.#isAttribute(token, after) : this.#isWrapping(after)) return
    // After a whole type any word is one; else it has to look like one.
    const isWhole = hasType || shapes.isPointer(token - 1) || isCalled
    const end = shapes.skipPath(after)
    const next = shapes.sign(end)
    const isEnd = (next !== '' && '(;=[,'.includes(next)) || this.#isWrapping(end)
    if (isEnd && (isWhole || shapes.isConvention(token))) this.#blank(token, after)
  }

  /** In capitals, or with numbers alone: `printflike(1, 2)`. */
  #isAttribute(token: number, after: number): boolean {
    const shapes = this.#shapes
    if (shapes.isCapital(token)) return true
    for (let inner = token + 2; inner < after - 1; inner++) if (/^[A-Za-z_]/.test(shapes.word(inner))) return false
    return after > token + 3
  }

  /** `type *(*name)(other *x)` looks like a product of calls where the grammar does not know the type. */
  #readPointer(from: number): void {
    const shapes = this.#shapes
    if (!shapes.isName(from) || shapes.word(from).length < 'int'.length) return
    let token = from + 1
    while (shapes.isPointer(token)) token++
    if (shapes.sign(token) !== '(' || shapes.sign(token + 1) !== '*' || !shapes.isName(token + 2)) return
    if (shapes.sign(token + 3) !== ')' || shapes.sign(token + 4) !== '(') return
    this.#found.push({ ...this.#placeOf(from, from + 1), as: 'int' })
  }

  /** After the parameters of a function. */
  #readTail(first: number): void {
    const shapes = this.#shapes
    let token = first
    while (AFTER_PARAMETERS.has(shapes.word(token))) token++
    const from = token
    // Behind those words no name can stand that means anything else.
    if (token > first && shapes.isName(token)) token = shapes.skipBrackets(token + 1)
    for (let tries = 0; tries < MAX_CHAIN && shapes.isCapital(token); tries++) token = shapes.skipBrackets(token + 1)
    if (token === from && shapes.isName(token)) token++
    let end = token
    while (AFTER_PARAMETERS.has(shapes.word(end))) end++
    const next = shapes.sign(end)
    const isHead = next === '{' || (next === ':' && shapes.sign(end + 1) !== ':')
    if (token > from && (isHead || (next === ';' && shapes.isCapital(from)))) this.#blank(from, token)
  }

  /** `run P_((int x))`, where old compilers know no parameters; `(CALL *run)(int)`. */
  #readOpening(token: number): void {
    const shapes = this.#shapes
    if (this.#isWrapping(token - 1) && shapes.isName(token - 2)) {
      const end = shapes.skipBrackets(token) - 1
      this.#blank(token - 1, token + 1)
      this.#blank(end, end + 1)
    }
    if (!shapes.isConvention(token + 1) || shapes.sign(token + 2) !== '*') return
    const close = shapes.isName(token + 3) ? token + 4 : token + 3
    if (shapes.sign(close) === ')' && shapes.sign(close + 1) === '(') this.#blank(token + 1, token + 2)
  }

  /** `int count GUARDED_BY(lock) = 0;` */
  #readBehindName(token: number): void {
    const after = this.#shapes.skipBrackets(token)
    const next = this.#shapes.sign(after)
    if (after > token && next !== '' && ';={'.includes(next)) this.#blank(token - 1, after)
  }

  #isWrapping(token: number): boolean {
    const shapes = this.#shapes
    if (!/^_*[A-Z][A-Z_]*$|^_\w*_$/.test(shapes.word(token)) || shapes.sign(token + 1) !== '(') return false
    if (shapes.sign(token + 2) !== '(') return false
    const inner = shapes.skipBrackets(token + 2)
    return inner > token + 2 && shapes.sign(inner) === ')'
  }

  /** Around the name of a class: `class EXPORT Box FINAL {`. */
  #readHead(first: number): void {
    const shapes = this.#shapes
    const words: number[] = []
    let token = first
    for (; shapes.isName(token); token = shapes.skipBrackets(shapes.skipPath(token))) words.push(token)
    const next = shapes.sign(token)
    if (words.length < 2 || next === '') {
      if (shapes.word(token) !== 'final') return
    }
    const isClass = shapes.word(first - 1) === 'class'
    const name = words.findLast((word) => !shapes.isCapital(word) && shapes.sign(word + 1) !== '(') ?? words.at(-1)
    const others = words.filter((word) => word !== name)
    if (!isClass && !others.every((word) => shapes.isCapital(word))) return
    const hasBody = next === '{' || (next === ':' && shapes.sign(token + 1) !== ':') || shapes.word(token) === 'final'
    if (!hasBody && !(next === '<' && shapes.isCapital(first)) && !(next === ';' && isClass)) return
    for (const word of others) this.#blank(word, shapes.skipBrackets(shapes.skipPath(word)))
  }

  /** `X(A, 1)` names A; of `X(LIST)` nobody knows. Behind a name it says something of that. */
  #readEnumerator(token: number): void {
    const shapes = this.#shapes
    const after = shapes.skipBrackets(token + 1)
    if (after > token + 1) {
      const isNamed = shapes.isName(token + 2) && shapes.sign(token + 3) === ','
      if (!isNamed) this.#blank(token, after)
      else {
        this.#blank(token, token + 2)
        this.#blank(token + 3, after)
      }
    } else if (shapes.isName(after)) this.#blank(after, shapes.skipBrackets(after + 1))
  }

  #isLabel(token: number): boolean {
    const shapes = this.#shapes
    return (
      shapes.sign(token) === ':' && /^(?:public|private|protected|default|signals|slots)$/.test(shapes.word(token - 1))
    )
  }

  #blank(from: number, to: number): void {
    this.#found.push(this.#placeOf(from, to))
  }

  #placeOf(from: number, to: number): MacroWord {
    const { starts, ends } = this.#tokens
    return { from: starts[from] ?? 0, to: ends[to - 1] ?? 0 }
  }
}

/** A macro behind a name that has a type already. */
function isDeclaring(shapes: TokenShapes, macro: number): boolean {
  if (!shapes.isCapital(macro) || !shapes.isName(macro - 1) || shapes.isCapital(macro - 1)) return false
  const sign = shapes.sign(macro - 2)
  if (sign !== '') return '>*&'.includes(sign)
  return shapes.isBuiltIn(macro - 2) || (shapes.isName(macro - 2) && !shapes.isCapital(macro - 2))
}

function isConstructor(shapes: TokenShapes, token: number, name: string): boolean {
  const at = shapes.sign(token) === '~' ? token + 1 : token
  return name !== '' && shapes.word(at) === name && shapes.sign(at + 1) === '('
}

/** `Box::Box(`, `Box<T>::~Box(`: no type stands before it. */
function isConstructorPath(shapes: TokenShapes, from: number): boolean {
  const end = shapes.skipPath(from)
  if (end <= from + 2 || shapes.sign(end) !== '(') return false
  const name = shapes.word(end - 1)
  let token = end - 2
  if (shapes.sign(token) === '~') return true
  token -= 2
  if (shapes.sign(token) === '>') while (token > from && shapes.sign(token) !== '<') token--
  return name !== '' && shapes.word(shapes.sign(token) === '<' ? token - 1 : token) === name
}
