/**
 * What a caller wants to have or not, as globs: one without a slash is about names, one with a slash about paths from the folder
 * that is walked, and both about everything below a folder that matches. `{a,b}` is either of them.
 */
import { toBytes } from '../ignore/glob.ts'
import { type IgnorePattern, judgeByPatterns, readIgnorePattern } from '../ignore/ignore-pattern.ts'

/** So many ways at most that one pattern with braces stands for. */
const MAX_WAYS = 200

export class PathPatterns {
  readonly #patterns: readonly IgnorePattern[]

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns
      .flatMap((pattern) => expandBraces(pattern.replace(/^\.\//, '')))
      // A leading `!` or `#` means nothing here: it is part of a name.
      .flatMap((pattern) => readIgnorePattern(/^[!#]/.test(pattern) ? `\\${pattern}` : pattern) ?? [])
  }

  get isEmpty(): boolean {
    return this.#patterns.length === 0
  }

  /** The path itself, by its name or as a whole. */
  matches(path: string, isFolder: boolean): boolean {
    const bytes = toBytes(path)
    return judgeByPatterns(this.#patterns, bytes, bytes.slice(bytes.lastIndexOf('/') + 1), isFolder) === true
  }

  /** The path, or a folder on the way to it. */
  covers(path: string): boolean {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (this.matches(path.slice(0, slash), true)) return true
    }
    return this.matches(path, false)
  }
}

/** `a.{ts,js}` → `a.ts`, `a.js`; in each other as well. Without a comma braces are letters. */
function expandBraces(pattern: string): string[] {
  const ways = [pattern]
  const done: string[] = []
  while (ways.length > 0 && ways.length + done.length <= MAX_WAYS) {
    const way = ways.shift() ?? ''
    const brace = findBrace(way)
    if (brace === undefined) done.push(way)
    else ways.unshift(...brace.choices.map((choice) => `${brace.before}${choice}${brace.after}`))
  }
  return [...done, ...ways].slice(0, MAX_WAYS)
}

/** The innermost that comes first, so that its choices have no braces. */
function findBrace(text: string): { before: string; choices: string[]; after: string } | undefined {
  let open = -1
  for (let at = 0; at < text.length; at++) {
    if (text.charAt(at) === '\\') at++
    else if (text.charAt(at) === '{') open = at
    else if (text.charAt(at) === '}' && open >= 0) {
      const choices = text.slice(open + 1, at).split(',')
      if (choices.length > 1) return { before: text.slice(0, open), choices, after: text.slice(at + 1) }
      open = -1
    }
  }
  return undefined
}
