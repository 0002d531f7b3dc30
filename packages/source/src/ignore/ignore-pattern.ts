/** The lines of a `.gitignore`, by git's rules. */
import { Glob, type GlobOptions } from './glob.ts'

/** Longer ones are no patterns that a person wrote. */
const MAX_PATTERN = 1_000
const MAX_PATTERNS = 10_000

export interface IgnorePattern {
  readonly glob: Glob
  /** What was ignored is not, where it matches. */
  readonly isNegated: boolean
  readonly isForFolders: boolean
  /** It is about names, in whatever folder they are. */
  readonly isForNames: boolean
}

/** In their order: the last one that matches decides. */
export function readIgnorePatterns(text: string, options: GlobOptions = {}): IgnorePattern[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n', MAX_PATTERNS)
  return lines.flatMap((line) => readIgnorePattern(line.endsWith('\r') ? line.slice(0, -1) : line, options) ?? [])
}

export function readIgnorePattern(line: string, options: GlobOptions = {}): IgnorePattern | undefined {
  if (line.startsWith('#') || line.length > MAX_PATTERN) return undefined
  let pattern = trimSpaces(line)
  const isNegated = pattern.startsWith('!')
  if (isNegated) pattern = pattern.slice(1)
  const isForFolders = pattern.endsWith('/')
  if (isForFolders) pattern = pattern.slice(0, -1)
  if (pattern === '') return undefined
  const isForNames = !pattern.includes('/')
  const glob = new Glob(pattern.startsWith('/') ? pattern.slice(1) : pattern, options)
  return { glob, isNegated, isForFolders, isForNames }
}

/** `path` is from the folder that the patterns are of. Undefined: they say nothing of it. */
export function judgeByPatterns(
  patterns: readonly IgnorePattern[],
  path: string,
  name: string,
  isFolder: boolean,
): boolean | undefined {
  for (let at = patterns.length - 1; at >= 0; at--) {
    const pattern = patterns[at]
    if (pattern === undefined || (pattern.isForFolders && !isFolder)) continue
    if (pattern.glob.matches(pattern.isForNames ? name : path)) return !pattern.isNegated
  }
  return undefined
}

/** Those at the end, but one that has a `\` before it. */
function trimSpaces(line: string): string {
  let end = 0
  for (let at = 0; at < line.length; at++) {
    if (line.charAt(at) === '\\') {
      at++
      // Nothing follows it: the whole line stays as it is.
      if (at >= line.length) return line
      end = at + 1
    } else if (line.charAt(at) !== ' ') end = at + 1
  }
  return line.slice(0, end)
}
