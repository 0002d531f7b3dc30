/**
 * Where a function's body begins, found in the text alone: no engine tells it before the program runs. Knows how the
 * languages of the engines write definitions; what it does not find is named by a line instead.
 */
import { extname } from 'node:path'

export interface FunctionPlace {
  readonly definition: number
  /** The first line of the body that can be stopped at. */
  readonly body: number
}

const MAX_LINE = 1_000

type Style = 'python' | 'ruby' | 'braces'

const PYTHON = (name: string) => [`^\\s*(?:async\\s+)?def\\s+${name}\\s*[(\\[]`]
const RUBY = (name: string) => [`^\\s*(?:\\w+\\s+)?def\\s+(?:self\\.)?${name}(?![\\w?!])`]
const GO = (name: string) => [`^func\\s+(?:\\([^)]*\\)\\s*)?${name}\\s*[(\\[]`]
const RUST = (name: string) => [`\\bfn\\s+${name}\\s*[<(]`]
const SCRIPT = (name: string) => [
  `\\bfunction\\s*\\*?\\s*${name}\\s*[<(]`,
  `\\b(?:const|let|var)\\s+${name}\\s*(?::[^=]+)?=\\s*(?:async\\s*)?(?:function\\b|[(<]|\\w+\\s*=>)`,
  `^\\s*(?:(?:public|private|protected|static|async|override|get|set|export|default)\\s+)*\\*?#?${name}\\s*(?:<[^>]*>)?\\((?!.*[;,]\\s*$)`,
  `^\\s*${name}\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\(.*=>|\\w+\\s*=>)`,
]
const NATIVE = (name: string) => [
  `^(?!\\s*(?:return|else|if|while|for|switch)\\b)[\\w:<>,*&\\s~\\[\\]]*[\\s*&:]${name}\\s*\\((?!.*;\\s*$)`,
]

const LANGUAGES: Readonly<Record<string, readonly [Style, (name: string) => readonly string[]]>> = {
  '.py': ['python', PYTHON],
  '.pyw': ['python', PYTHON],
  '.rb': ['ruby', RUBY],
  '.go': ['braces', GO],
  '.rs': ['braces', RUST],
  '.js': ['braces', SCRIPT],
  '.mjs': ['braces', SCRIPT],
  '.cjs': ['braces', SCRIPT],
  '.jsx': ['braces', SCRIPT],
  '.ts': ['braces', SCRIPT],
  '.mts': ['braces', SCRIPT],
  '.cts': ['braces', SCRIPT],
  '.tsx': ['braces', SCRIPT],
  '.c': ['braces', NATIVE],
  '.h': ['braces', NATIVE],
  '.cc': ['braces', NATIVE],
  '.cpp': ['braces', NATIVE],
  '.cxx': ['braces', NATIVE],
  '.hpp': ['braces', NATIVE],
}

/** `name` may be qualified (`Cart.total`, `Cart::total`, `Cart#total`): then the definition after that word is meant. */
export function findFunction(path: string, text: string, name: string): FunctionPlace | undefined {
  const [style, patternsOf] = LANGUAGES[extname(path).toLowerCase()] ?? []
  if (style === undefined || patternsOf === undefined) return undefined
  const parts = name.split(/\.|::|#/).filter((part) => part !== '')
  const own = parts.at(-1)
  if (own === undefined) return undefined
  const lines = splitLines(text)
  const owner = parts.at(-2)
  const from = owner === undefined ? 0 : Math.max(0, findOwner(lines, owner))
  const patterns = patternsOf(escapePattern(own)).map((source) => new RegExp(source))
  const isDefinition = (line: string, at: number): boolean => at >= from && patterns.some((one) => one.test(line))
  const hasBody = !/\.[cm]?tsx?$/i.test(path) ? () => true : (at: number) => !isSignatureAlone(lines, at)
  const index = lines.findIndex((line, at) => isDefinition(line, at) && hasBody(at))
  if (index === -1) return undefined
  const body =
    style === 'python' ? findPythonBody(lines, index) : style === 'ruby' ? index + 1 : findBraceBody(lines, index)
  return { definition: index + 1, body: skipBlank(lines, body, style) + 1 }
}

/** For a message when nothing was found. */
export function listFunctions(path: string, text: string): string[] {
  const [, patternsOf] = LANGUAGES[extname(path).toLowerCase()] ?? []
  const [first] = patternsOf?.('(\\w+)') ?? []
  if (first === undefined) return []
  const pattern = new RegExp(first)
  return splitLines(text).flatMap((line) => pattern.exec(line)?.[1] ?? [])
}

/** No definition that a person wrote is longer; of what a program wrote, reading it all would take too long. */
function splitLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line))
}

function findOwner(lines: readonly string[], owner: string): number {
  const pattern = new RegExp(
    `\\b(?:class|struct|impl|module|interface|namespace|type)\\b.*\\b${escapePattern(owner)}\\b`,
  )
  return lines.findIndex((line) => pattern.test(line))
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function findPythonBody(lines: readonly string[], definition: number): number {
  const end = findSignatureEnd(lines, definition, ':')
  if (end.rest !== '' && !end.rest.startsWith('#')) return end.line
  const first = skipBlank(lines, end.line + 1, 'python')
  const quote = /^\s*[rRuUbB]?("""|''')/.exec(lines[first] ?? '')?.[1]
  if (quote === undefined) return /^\s*["'].*["']\s*$/.test(lines[first] ?? '') ? first + 1 : first
  const opening = (lines[first] ?? '').indexOf(quote) + 3
  if ((lines[first] ?? '').includes(quote, opening)) return first + 1
  const closing = lines.findIndex((line, index) => index > first && line.includes(quote))
  return closing === -1 ? first : closing + 1
}

function findBraceBody(lines: readonly string[], definition: number): number {
  const end = findSignatureEnd(lines, definition, '{')
  return end.rest === '' || end.rest.startsWith('//') ? end.line + 1 : end.line
}

/** The first `mark` outside of brackets, and what follows it on its line. */
function findSignatureEnd(lines: readonly string[], from: number, mark: string): { line: number; rest: string } {
  let depth = 0
  for (let line = from; line < Math.min(lines.length, from + 40); line++) {
    const text = lines[line] ?? ''
    for (let column = 0; column < text.length; column++) {
      const character = text.charAt(column)
      if (depth === 0 && character === mark && (mark === '{' || column > 0)) {
        return { line, rest: text.slice(column + 1).trim() }
      }
      if ('([{'.includes(character)) depth++
      else if (')]}'.includes(character)) depth--
    }
    // An arrow without braces: its expression is the body.
    const arrow = /=>\s*(.*)/.exec(text)
    if (mark === '{' && depth === 0 && arrow !== null) return { line, rest: arrow[1] ?? '' }
  }
  return { line: from, rest: '' }
}

/** One of the overloads that TypeScript has before the definition with the body. */
function isSignatureAlone(lines: readonly string[], from: number): boolean {
  let depth = 0
  for (const text of lines.slice(from, from + 40)) {
    for (let column = 0; column < text.length; column++) {
      const character = text.charAt(column)
      if (depth === 0 && (character === '{' || text.startsWith('=>', column))) return false
      if (depth === 0 && character === ';') return true
      if ('([{'.includes(character)) depth++
      else if (')]}'.includes(character)) depth--
    }
  }
  return false
}

function skipBlank(lines: readonly string[], from: number, style: Style): number {
  const blank = style === 'braces' ? /^\s*(?:$|\/\/|\/?\*)/ : /^\s*(?:$|#)/
  const found = lines.findIndex((line, index) => index >= from && !blank.test(line))
  return found === -1 ? Math.min(from, lines.length - 1) : found
}
