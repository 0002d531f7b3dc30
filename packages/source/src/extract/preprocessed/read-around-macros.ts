/**
 * C and C++ as a parser can read them that runs no preprocessor: with blanks in place of what only the preprocessor understands.
 * Everything else stays where it is.
 */
import { type CTokens, DIRECTIVE, findComments, readTokens, WORD } from './c-tokens.ts'
import { findBlankTokens } from './conditional-branches.ts'
import { findMacroWords, type MacroWord } from './macro-words.ts'
import { TokenShapes } from './token-shapes.ts'

export interface DefinedMacro {
  readonly name: string
  /** Where the name stands. */
  readonly at: number
  readonly start: number
  readonly end: number
}

export interface ReadableText {
  readonly text: string
  /** Macros that were blanked: names that are used all the same. */
  readonly macros: readonly { readonly name: string; readonly at: number; readonly isCall: boolean }[]
  /** Those that it defines, which are blanks too: they may stand where no grammar knows of them. */
  readonly defined: readonly DefinedMacro[]
  /** It is C++, and no C, whatever the file is called. */
  readonly isPlusPlus: boolean
}

export function readAroundMacros(text: string): ReadableText {
  const tokens = readTokens(text)
  const blanks: (readonly [number, number])[] = []
  const defined = findDefined(text, tokens)
  const left = without(tokens, findAttributes(text, tokens), blanks)
  const read = without(left, findBlankTokens(text, left), blanks)
  const words = findMacroWords(text, read)
  const macros = words.flatMap(({ from, to }) => {
    const written = text.slice(from, to)
    const name = /^[A-Za-z_$][\w$]*/.exec(written)?.[0]
    return name === undefined ? [] : [{ name, at: from, isCall: written.length > name.length }]
  })
  // The grammars take them for the end of what is defined.
  const comments = read.kinds.flatMap((kind, token) =>
    kind === DIRECTIVE ? findComments(text, read.starts[token] ?? 0, read.ends[token] ?? 0) : [],
  )
  const ranges = [...blanks, ...comments].map(([from, to]): MacroWord => ({ from, to }))
  for (const { start, end } of defined) ranges.push({ from: start, to: end })
  return { text: replace(text, [...ranges, ...words]), macros, defined, isPlusPlus: tells(text, read) }
}

type TokenRange = readonly [from: number, to: number]

const ATTRIBUTES = /^(?:__(?:attribute(?:__)?|declspec|extension__)|alignas|_Alignas)$/

/** What compilers are told beside the language; no grammar knows all the places of them. */
function findAttributes(text: string, tokens: CTokens): TokenRange[] {
  const shapes = new TokenShapes(text, tokens)
  const found: TokenRange[] = []
  for (let token = 0; token < tokens.kinds.length; token++) {
    const start = tokens.starts[token] ?? 0
    const isLikely = text[start] === '_' || text.startsWith('alignas', start)
    if (tokens.kinds[token] !== WORD || !isLikely || !ATTRIBUTES.test(shapes.word(token))) continue
    const end = shapes.skipBrackets(token + 1)
    found.push([token, end])
    token = end - 1
  }
  return found
}

/** Tokens without those of the ranges, which become blanks. */
function without(tokens: CTokens, ranges: readonly TokenRange[], blanks: (readonly [number, number])[]): CTokens {
  if (ranges.length === 0) return tokens
  const isBlank = new Uint8Array(tokens.kinds.length)
  for (const [from, to] of ranges) isBlank.fill(1, from, to)
  const kept: CTokens = { kinds: [], starts: [], ends: [] }
  tokens.kinds.forEach((kind, token) => {
    const start = tokens.starts[token] ?? 0
    const end = tokens.ends[token] ?? 0
    if (isBlank[token] === 1) blanks.push([start, end])
    else {
      kept.kinds.push(kind)
      kept.starts.push(start)
      kept.ends.push(end)
    }
  })
  return kept
}

const PLUS_PLUS = new Set('class template namespace typename constexpr nullptr virtual operator using'.split(' '))

/** Words or signs of C++ that no C has. */
function tells(text: string, { kinds, starts, ends }: CTokens): boolean {
  for (let token = 0; token < kinds.length; token++) {
    const start = starts[token] ?? 0
    if (kinds[token] === WORD) {
      const length = (ends[token] ?? 0) - start
      if (length >= 5 && length <= 9 && PLUS_PLUS.has(text.slice(start, start + length))) return true
      if (
        /^(?:public|private|protected)$/.test(text.slice(start, start + Math.min(length, 10))) &&
        text[ends[token] ?? 0] === ':'
      )
        return true
    } else if (text[start] === ':' && text[start + 1] === ':') return true
  }
  return false
}

function findDefined(text: string, { kinds, starts, ends }: CTokens): DefinedMacro[] {
  return kinds.flatMap((kind, token) => {
    const start = starts[token] ?? 0
    const end = ends[token] ?? 0
    const head = kind === DIRECTIVE ? /^#[\t ]*define\s+([A-Za-z_$][\w$]*)/.exec(text.slice(start, end)) : null
    const name = head?.[1]
    return head === null || name === undefined ? [] : [{ name, at: start + head[0].length - name.length, start, end }]
  })
}

function replace(text: string, ranges: readonly MacroWord[]): string {
  if (ranges.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { from, to, as = '' } of [...ranges].sort((a, b) => a.from - b.from)) {
    if (from < at) continue
    parts.push(text.slice(at, from), as, text.slice(from + as.length, to).replace(/[^\r\n]/g, ' '))
    at = to
  }
  parts.push(text.slice(at))
  return parts.join('')
}
