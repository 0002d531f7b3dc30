/**
 * Can Node run a TypeScript program by leaving out its types? It cannot where types become code (an enum), and where an
 * import names what only a compiler finds: `./math.js` made of `math.ts`, no ending at all, an alias of tsconfig.json. The
 * program is followed along its own imports, by its text; what is not sure counts as possible, for Node says it itself.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { blankOutText } from '../single-test/script-text.ts'
import { readSourceText } from '../workspace/source-text.ts'

export interface StripProblem {
  /** Absolute. */
  readonly path: string
  readonly line: number
  readonly what: string
  /** A Node that transforms types can run it all the same. */
  readonly isSyntax: boolean
}

const MAX_FILES = 300
const MAX_BYTES = 256 * 1024
/** Of all files together: more takes too long to look through before a start. */
const MAX_CHARACTERS = 1024 * 1024
/** Of one file; no person imports more. */
const MAX_IMPORTS = 500
const SYNTAX: readonly (readonly [RegExp, string])[] = [
  [/^[ \t]*(?:export[ \t]+)?(?:const[ \t]+)?enum[ \t]+[\w$]+/m, 'an enum'],
  [/^[ \t]*(?:export[ \t]+)?(?:namespace|module)[ \t]+[\w$.]+[ \t]*\{/m, 'a namespace'],
  [/\bconstructor[ \t]*\([^()]*?\b(?:private|public|protected|readonly)[ \t]+[\w$]+/, 'a parameter property'],
  [/^[ \t]*(?:export[ \t]+)?import[ \t]+[\w$]+[ \t]*=[ \t]*require\b/m, 'import … = require'],
]
/** `import type` is gone when it runs. */
const IMPORT =
  /\b(?:import|export)\b(?![ \t]+type\b)(?:(?!\b(?:import|export)\b)[^'"`;()])*?\bfrom[ \t]*['"]|\bimport[ \t]*(?:\([ \t]*)?['"]/g
const ESM = /^[ \t]*(?:import\b[ \t]*(?![\s(=.])|export[ \t]+(?:default|const|let|var|function|class|async|\{|\*))/m

export function findStripProblem(program: string, aliases: readonly string[] = []): StripProblem | undefined {
  const seen = new Set([program])
  let looked = 0
  for (const path of seen) {
    const text = readSourceText(path, MAX_BYTES)
    if (text === undefined) continue
    looked += text.length
    if (looked > MAX_CHARACTERS) return undefined
    const blank = blankOutText(text)
    const problem = findSyntax(path, blank) ?? findModuleProblem(path, blank)
    if (problem !== undefined) return problem
    for (const { specifier, offset } of listImports(text, blank)) {
      const target = findTarget(path, specifier, aliases)
      if (target === undefined) continue
      if ('problem' in target) {
        return { path, line: lineAt(blank, offset), what: target.problem, isSyntax: false }
      }
      if (/\.[cm]?ts$/.test(target.path) && seen.size < MAX_FILES) seen.add(target.path)
    }
  }
  return undefined
}

function findSyntax(path: string, blank: string): StripProblem | undefined {
  for (const [pattern, what] of SYNTAX) {
    const found = pattern.exec(blank)
    if (found !== null) return { path, line: lineAt(blank, found.index), what, isSyntax: true }
  }
  return undefined
}

/** Where a package says that it is CommonJS, Node takes its `.ts` at its word. */
function findModuleProblem(path: string, blank: string): StripProblem | undefined {
  const found = ESM.exec(blank)
  if (found === null || extname(path) === '.mts') return undefined
  if (extname(path) !== '.cts' && !isCommonJs(dirname(path))) return undefined
  return { path, line: lineAt(blank, found.index), what: 'import or export in a CommonJS package', isSyntax: false }
}

function isCommonJs(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'package.json')
    if (existsSync(file)) return /"type"\s*:\s*"commonjs"/.test(readSourceText(file, MAX_BYTES) ?? '')
    if (dirname(at) === at) return false
  }
}

/** Each once. */
function listImports(text: string, blank: string): { readonly specifier: string; readonly offset: number }[] {
  const offsets = new Map<string, number>()
  for (const match of blank.matchAll(IMPORT)) {
    const start = match.index + match[0].length
    const end = blank.indexOf(blank.charAt(start - 1), start)
    const specifier = text.slice(start, end === -1 ? start : end)
    if (!offsets.has(specifier)) offsets.set(specifier, start)
    if (offsets.size >= MAX_IMPORTS) break
  }
  return [...offsets].map(([specifier, offset]) => ({ specifier, offset }))
}

/** Undefined: of a library, or of Node. */
function findTarget(
  from: string,
  specifier: string,
  aliases: readonly string[],
): { readonly path: string } | { readonly problem: string } | undefined {
  if (!/^\.{1,2}(?:\/|$)/.test(specifier)) {
    const isAlias = aliases.some((alias) => specifier === alias || (alias.endsWith('/') && specifier.startsWith(alias)))
    return isAlias ? { problem: `an import of "${specifier}", an alias of tsconfig.json` } : undefined
  }
  const path = resolve(dirname(from), specifier)
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return { path }
  const isSourceThere = ['.ts', '.tsx', '.mts', '.cts', '/index.ts'].some((end) =>
    existsSync(path.replace(/\.[cm]?jsx?$/, '') + end),
  )
  return isSourceThere ? { problem: `an import of "${specifier}", which is no file` } : undefined
}

function lineAt(text: string, offset: number): number {
  // Patterns begin with blanks that may reach over lines.
  const start = offset + (/^\s*/.exec(text.slice(offset))?.[0].length ?? 0)
  return text.slice(0, start).split('\n').length
}
