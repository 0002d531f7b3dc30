/** The words and signs of a C text, without its comments and strings. Each directive is one token, with all of its lines. */

export const WORD = 1
export const SIGN = 2
export const TEXT = 3
export const DIRECTIVE = 4

export interface CTokens {
  /** Of each: what it is, where it begins and ends. */
  readonly kinds: number[]
  readonly starts: number[]
  readonly ends: number[]
}

/** One walk over the letters, whatever they are. */
export function readTokens(text: string): CTokens {
  const tokens: CTokens = { kinds: [], starts: [], ends: [] }
  const add = (kind: number, start: number, end: number): void => {
    tokens.kinds.push(kind)
    tokens.starts.push(start)
    tokens.ends.push(end)
  }
  let at = 0
  let isLineStart = true
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (unit === NEWLINE) {
      isLineStart = true
      at++
    } else if (unit <= 32) at++
    else if (unit === SLASH && text.charCodeAt(at + 1) === SLASH) at = endOfLine(text, at)
    else if (unit === SLASH && text.charCodeAt(at + 1) === STAR) at = endOf(text, '*/', at + 2)
    else if (unit === HASH && isLineStart) {
      const end = endOfDirective(text, at)
      add(DIRECTIVE, at, end)
      at = end
    } else {
      isLineStart = false
      const end = isWordUnit(unit) ? endOfWord(text, at) : isQuote(unit) ? endOfQuoted(text, at, unit) : at + 1
      add(isWordUnit(unit) ? WORD : isQuote(unit) ? TEXT : SIGN, at, end)
      at = end
    }
  }
  return tokens
}

const NEWLINE = 10
const HASH = 35
const STAR = 42
const SLASH = 47
const BACKSLASH = 92

const isQuote = (unit: number): boolean => unit === 34 || unit === 39
const isWordUnit = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 65 && unit <= 90) ||
  (unit >= 48 && unit <= 57) ||
  unit === 95 ||
  unit === 36 ||
  unit > 127

function endOfWord(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && isWordUnit(text.charCodeAt(at))) at++
  return at
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** One that ends with a backslash goes on in the next. */
function endOfLine(text: string, from: number): number {
  let end = text.indexOf('\n', from)
  while (end > 0 && (text[end - 1] === '\\' || (text[end - 1] === '\r' && text[end - 2] === '\\'))) {
    end = text.indexOf('\n', end + 1)
  }
  return end < 0 ? text.length : end
}

/** Those of a directive, each from its sign to its end. */
export function findComments(text: string, from: number, to: number): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = []
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (isQuote(unit)) at = endOfQuoted(text, at, unit) - 1
    else if (unit === SLASH && text.charCodeAt(at + 1) === SLASH) return found
    else if (unit === SLASH && text.charCodeAt(at + 1) === STAR) {
      const end = Math.min(endOf(text, '*/', at + 2), to)
      found.push([at, end])
      at = end - 1
    }
  }
  return found
}

/** With the whole of a comment that begins in it. */
function endOfDirective(text: string, from: number): number {
  let end = endOfLine(text, from)
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (isQuote(unit)) at = Math.min(endOfQuoted(text, at, unit), end) - 1
    else if (unit === SLASH && text.charCodeAt(at + 1) === SLASH) return end
    else if (unit === SLASH && text.charCodeAt(at + 1) === STAR) {
      at = endOf(text, '*/', at + 2) - 1
      if (at >= end) end = endOfLine(text, at)
    }
  }
  return end
}

/** Not closed in its line, it was none. */
function endOfQuoted(text: string, from: number, quote: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === BACKSLASH) at++
    else if (unit === quote) return at + 1
    else if (unit === NEWLINE) return at
  }
  return text.length
}
