/**
 * C and C++ as a parser can read them that runs no preprocessor: with blanks in place of what only the preprocessor understands.
 * Everything else stays where it is.
 */
import { type CTokens, DIRECTIVE, readTokens } from './c-tokens.ts'
import { directiveOf, findBlankTokens } from './conditional-branches.ts'
import { findMacroWords } from './macro-words.ts'

export interface ReadableText {
  readonly text: string
  /** Macros that were blanked: names that are used all the same. */
  readonly macros: readonly { readonly name: string; readonly at: number; readonly isCall: boolean }[]
}

export function readAroundMacros(text: string): ReadableText {
  const tokens = readTokens(text)
  const blanks: (readonly [number, number])[] = []
  const left = withoutBlanked(text, tokens, blanks)
  const words = findMacroWords(text, left)
  const macros = words.map(([from, to]) => {
    const written = text.slice(from, to)
    const name = /^[\w$]+/.exec(written)?.[0] ?? ''
    return { name, at: from, isCall: written.length > name.length }
  })
  return { text: blankOut(text, [...blanks, ...words]), macros }
}

/** Tokens without those of branches that do not count; what is defined in these is defined all the same. */
function withoutBlanked(text: string, tokens: CTokens, blanks: (readonly [number, number])[]): CTokens {
  const ranges = findBlankTokens(text, tokens)
  if (ranges.length === 0) return tokens
  const isBlank = new Uint8Array(tokens.kinds.length)
  for (const [from, to] of ranges) isBlank.fill(1, from, to)
  const kept: CTokens = { kinds: [], starts: [], ends: [] }
  tokens.kinds.forEach((kind, token) => {
    const start = tokens.starts[token] ?? 0
    const end = tokens.ends[token] ?? 0
    const isDefinition = kind === DIRECTIVE && directiveOf(text.slice(start, end)) === 'define'
    if (isBlank[token] === 1 && !isDefinition) blanks.push([start, end])
    else {
      kept.kinds.push(kind)
      kept.starts.push(start)
      kept.ends.push(end)
    }
  })
  return kept
}

function blankOut(text: string, ranges: readonly (readonly [number, number])[]): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (from < at) continue
    parts.push(text.slice(at, from), text.slice(from, to).replace(/[^\r\n]/g, ' '))
    at = to
  }
  parts.push(text.slice(at))
  return parts.join('')
}
