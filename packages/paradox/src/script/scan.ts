/** Where things end: each function takes the place where one begins and gives the place after it, never beyond `end`. */
import {
  AT,
  BACKSLASH,
  BLANK,
  BRACKET,
  BRACKET_END,
  CLASS,
  CLOSE,
  COMMENT,
  EQUALS,
  GREATER,
  LESS,
  MARK,
  NEWLINE,
  OPEN,
  OPERATOR,
  QUOTATION,
  SQUARE,
  SQUARE_END,
  WORD,
} from './bytes.ts'

/** The last byte of a byte order mark. */
const MARK_END = 0xbf

export function skipTrivia(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end) {
    const kind = CLASS[bytes[at] ?? 0] ?? 0
    if (kind === BLANK) at++
    else if (kind === COMMENT) at = endOfLine(bytes, at, end)
    else break
  }
  return at
}

/** The line feed that ends the line, or `end`. */
export function endOfLine(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== NEWLINE) at++
  return at
}

/** `inParameter`: inside `[[NAME] … ]`, where `]` ends a word. A word is never empty. */
export function endOfWord(bytes: Uint8Array, from: number, end: number, inParameter: boolean): number {
  let at = from + 1
  while (at < end) {
    const kind = CLASS[bytes[at] ?? 0] ?? 0
    if (kind === WORD) at++
    else if (kind === MARK) {
      if (bytes[at + 1] === EQUALS) break
      at++
    } else if (kind === BRACKET) {
      // Stellaris writes `@\[` where the calculation is to wait for its parameters.
      const before = bytes[at - 1] === BACKSLASH && at - 2 >= from ? bytes[at - 2] : bytes[at - 1]
      if (before === AT) at = endOfCalculation(bytes, at, end)
      else at++
    } else if (kind === BRACKET_END && !inParameter) at++
    else break
  }
  return at
}

/** From its `[`; without a matching `]` on the line it ends with the line (`isClosedCalculation` tells). */
function endOfCalculation(bytes: Uint8Array, from: number, end: number): number {
  let depth = 0
  for (let at = from; at < end; at++) {
    const byte = bytes[at]
    if (byte === SQUARE) depth++
    else if (byte === SQUARE_END) {
      depth--
      if (depth === 0) return at + 1
    } else if (byte === NEWLINE || CLASS[byte ?? 0] === OPEN || CLASS[byte ?? 0] === CLOSE)
      return trimBlanks(bytes, from, at)
  }
  return trimBlanks(bytes, from, end)
}

function trimBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = to
  while (at > from + 1 && CLASS[bytes[at - 1] ?? 0] === BLANK) at--
  return at
}

/** The place after the closing quote; negative where there is none: minus the place where the string is taken to end. */
export function endOfString(bytes: Uint8Array, from: number, end: number): number {
  let at = from + 1
  let lineEnd = -1
  while (at < end) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTATION) return at + 1
    if (byte === BACKSLASH) {
      // A line that ends with a backslash ends all the same.
      at += bytes[at + 1] === NEWLINE || at + 1 >= end ? 1 : 2
      continue
    }
    if (byte === NEWLINE) {
      if (lineEnd < 0) lineEnd = at
    } else if (lineEnd >= 0) {
      // Text over several lines is numbers or names: what looks like script is script, behind a forgotten quote. But the next
      // quotation mark may say otherwise.
      const kind = CLASS[byte] ?? 0
      if (kind === OPERATOR || kind === OPEN || kind === CLOSE || kind === COMMENT) {
        const closing = nextQuotation(bytes, at, end)
        if (closing < end && isClosing(bytes, closing, end)) return closing + 1
        break
      }
    }
    at++
  }
  return -endOfOpenString(bytes, from, lineEnd < 0 ? end : lineEnd)
}

function nextQuotation(bytes: Uint8Array, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== QUOTATION) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/** Whether a text can end with this mark: one that begins with it goes on behind it, or has an operator before it. */
function isClosing(bytes: Uint8Array, quotation: number, end: number): boolean {
  const after = CLASS[bytes[quotation + 1] ?? 0]
  if (quotation + 1 < end && after !== BLANK && after !== CLOSE) return false
  let before = quotation - 1
  while (before > 0 && CLASS[bytes[before] ?? 0] === BLANK) before--
  const kind = CLASS[bytes[before] ?? 0]
  return kind !== OPERATOR && kind !== OPEN
}

/** Braces that close a block at the end of the line are not of the text. */
function endOfOpenString(bytes: Uint8Array, from: number, lineEnd: number): number {
  const text = trimBlanks(bytes, from, lineEnd)
  let at = text
  while (at > from + 1) {
    const kind = CLASS[bytes[at - 1] ?? 0] ?? 0
    if (kind !== CLOSE && kind !== BLANK) break
    at--
  }
  return CLASS[bytes[at] ?? 0] === BLANK ? at : text
}

/** 0: no operator stands here. */
export function operatorLength(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return 0
  const byte = bytes[at] ?? 0
  const kind = CLASS[byte] ?? 0
  const next = at + 1 < end ? bytes[at + 1] : 0
  if (kind === OPERATOR) return next === EQUALS || (byte === LESS && next === GREATER) ? 2 : 1
  return kind === MARK && next === EQUALS ? 2 : 0
}

/** Nobody indents further; whoever looks back no further than this stays linear on a file of one line. */
const FURTHEST_INDENTATION = 200

/** How far the line is indented that begins with what stands at the place; -1: something is before it. */
export function lineIndentation(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && at - start <= FURTHEST_INDENTATION) {
    const before = bytes[start - 1] ?? 0
    if (before === NEWLINE || before === MARK_END) return at - start
    if (CLASS[before] !== BLANK) return -1
    start--
  }
  return start === 0 ? at : -1
}

export function holdsNewline(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] === NEWLINE) return true
  return false
}
