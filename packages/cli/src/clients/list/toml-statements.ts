/**
 * Where the statements of a TOML text are: its tables' headers and its pairs, each with the whole path of its key. The text has
 * been parsed before, so that it is well formed; what is made of it is parsed once more by whoever edits it.
 */

export interface TomlStatement {
  readonly kind: 'header' | 'pair'
  /** From the root, the table's own path included. */
  readonly path: readonly string[]
  /** The beginning of its first line. */
  readonly start: number
  /** Behind the end of its last line. */
  readonly end: number
  /** Of a pair: from the first sign of its value to the end of its last line. */
  readonly valueStart: number
}

export function listTomlStatements(text: string): TomlStatement[] {
  const statements: TomlStatement[] = []
  let table: readonly string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const start = at
    at = skipBlanks(text, at)
    const sign = text[at]
    if (sign === undefined) break
    if (sign === '#' || sign === '\n' || sign === '\r') {
      at = findLineEnd(text, at)
      continue
    }
    if (sign === '[') {
      const key = readKey(text, text[at + 1] === '[' ? at + 2 : at + 1)
      table = key.path
      at = findLineEnd(text, key.end)
      statements.push({ kind: 'header', path: table, start, end: at, valueStart: at })
      continue
    }
    const key = readKey(text, at)
    const valueStart = skipBlanks(text, key.end + 1)
    at = findLineEnd(text, skipValue(text, valueStart))
    statements.push({ kind: 'pair', path: [...table, ...key.path], start, end: at, valueStart })
  }
  return statements
}

function skipBlanks(text: string, at: number): number {
  let next = at
  while (text[next] === ' ' || text[next] === '\t') next++
  return next
}

/** Behind the line break of the line that the offset is on. */
function findLineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}

/** Up to the sign that ends it, `]` or `=`. */
function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = []
  let at = skipBlanks(text, from)
  for (;;) {
    const sign = text[at]
    if (sign === '"' || sign === "'") {
      const end = findStringEnd(text, at)
      path.push(sign === "'" ? text.slice(at + 1, end - 1) : readBasicString(text.slice(at, end)))
      at = end
    } else {
      const start = at
      while (/[\w-]/.test(text[at] ?? '')) at++
      path.push(text.slice(start, at))
    }
    at = skipBlanks(text, at)
    if (text[at] !== '.') return { path, end: at }
    at = skipBlanks(text, at + 1)
  }
}

/** TOML escapes as JSON does, but for `\U`, `\e` and `\x`: such a key is nobody's server. */
function readBasicString(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}

/** Behind the value; in lists and inline tables there may be line breaks and comments. */
function skipValue(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = findStringEnd(text, at)
    else if (sign === '#') {
      if (depth === 0) return at
      at = findLineEnd(text, at)
    } else if (sign === '\n' && depth === 0) return at
    else {
      if (sign === '[' || sign === '{') depth++
      if (sign === ']' || sign === '}') depth--
      at++
    }
  }
  return at
}

/** Behind the closing quotes. */
function findStringEnd(text: string, from: number): number {
  const quote = text[from] ?? ''
  const isLong = text.startsWith(quote.repeat(3), from)
  const closing = isLong ? quote.repeat(3) : quote
  let at = from + closing.length
  while (at < text.length && !text.startsWith(closing, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1
  at += closing.length
  // Up to two quotes may stand before the closing three.
  while (isLong && text[at] === quote) at++
  return at
}
