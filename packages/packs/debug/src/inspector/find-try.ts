/**
 * Does a place in JavaScript lie inside a `try` that catches, of the function that begins at `from`? The runtime itself calls an
 * exception caught when its own module loader would catch it, and loaders catch everything; so we look for ourselves.
 */
const REGEX_MAY_FOLLOW =
  /(?:^|[([{};,=:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|instanceof|do|else|yield|await))$/
const WORD = /[\w$]/

export function isInsideTry(source: string, from: number, place: number): boolean {
  const scanner = new Scanner(source)
  const open: { readonly isTry: boolean; readonly at: number }[] = []
  let waiting: Set<number> | undefined
  for (const token of scanner.tokens()) {
    if (waiting === undefined && token.at >= place) {
      waiting = new Set(open.filter(({ isTry, at }) => isTry && at >= from).map(({ at }) => at))
    }
    if (waiting?.size === 0) return false
    if (token.text === '{') open.push({ isTry: scanner.previous === 'try', at: token.at })
    else if (token.text === '}') {
      const closed = open.pop()
      if (closed !== undefined && waiting?.delete(closed.at) && scanner.nextWord(token.at + 1) === 'catch') return true
    }
  }
  return false
}

interface Token {
  readonly text: string
  readonly at: number
}

/** Braces and words; whatever is in strings, templates, comments and regular expressions is passed over. */
class Scanner {
  readonly #source: string
  /** The token before the one at hand. */
  previous = ''
  #before = ''

  constructor(source: string) {
    this.#source = source
  }

  nextWord(from: number): string {
    const rest = this.#source
      .slice(from, from + 2000)
      .replace(/^(?:\s|\/\/[^\n]*\n|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)+/, '')
    return /^[\w$]+/.exec(rest)?.[0] ?? ''
  }

  *tokens(): Generator<Token> {
    const source = this.#source
    /** Depth of braces at which a template goes on. */
    const templates: number[] = []
    let depth = 0
    for (let at = 0; at < source.length; ) {
      const char = source[at] ?? ''
      if (/\s/.test(char)) at += 1
      else if (source.startsWith('//', at)) at = endOf(source, '\n', at)
      else if (source.startsWith('/*', at)) at = endOf(source, '*/', at + 2)
      else if (char === '"' || char === "'") at = this.#skipString(at, char)
      else if (char === '`') at = this.#skipTemplate(at + 1, templates, depth)
      else if (char === '/' && REGEX_MAY_FOLLOW.test(this.#before)) at = this.#skipRegex(at)
      else if (char === '}' && templates.at(-1) === depth) {
        templates.pop()
        at = this.#skipTemplate(at + 1, templates, depth)
      } else {
        let end = at + 1
        if (WORD.test(char)) while (end < source.length && WORD.test(source[end] ?? '')) end += 1
        const text = source.slice(at, end)
        if (text === '{') depth += 1
        if (text === '}') depth -= 1
        this.previous = this.#before
        this.#before = text
        yield { text, at }
        at = end
      }
    }
  }

  #skipString(from: number, quote: string): number {
    for (let at = from + 1; at < this.#source.length; at++) {
      if (this.#source[at] === '\\') at += 1
      else if (this.#source[at] === quote || this.#source[at] === '\n') return this.#passed(at + 1)
    }
    return this.#source.length
  }

  #skipTemplate(from: number, templates: number[], depth: number): number {
    for (let at = from; at < this.#source.length; at++) {
      if (this.#source[at] === '\\') at += 1
      else if (this.#source[at] === '`') return this.#passed(at + 1)
      else if (this.#source.startsWith('${', at)) {
        templates.push(depth)
        this.#before = '{'
        return at + 2
      }
    }
    return this.#source.length
  }

  #skipRegex(from: number): number {
    let inClass = false
    for (let at = from + 1; at < this.#source.length; at++) {
      const char = this.#source[at]
      if (char === '\\') at += 1
      else if (char === '[') inClass = true
      else if (char === ']') inClass = false
      else if (char === '\n' || (char === '/' && !inClass)) return this.#passed(at + 1)
    }
    return this.#source.length
  }

  /** A value ends here: a slash behind it divides. */
  #passed(at: number): number {
    this.#before = ')'
    return at
  }
}

function endOf(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from)
  return found < 0 ? source.length : found + text.length
}
