/**
 * What the grammars of JavaScript and TypeScript do not read yet. As much text takes the place of it, so that nothing moves; names
 * are taken from the text of the file itself.
 */
import type { GrammarName } from '../../languages.ts'
import { blankVariance, endSignatures } from './end-signatures.ts'

type Rewrite = readonly [found: RegExp, instead: (found: string) => string]

const blank = (found: string): string => found.replaceAll(/[^\r\n]/g, ' ')
/** No word of the language any more. */
const rename = (found: string): string => found.charAt(0).toUpperCase() + found.slice(1)

const SCRIPT: readonly Rewrite[] = [
  [/(?<=\bfor[ \t]*\([ \t]*)using(?=[ \t]+[\w$]+[ \t]+of\b)/g, () => 'const'],
  [/(?<=\bimport[ \t]+)defer(?=[ \t]+\*)/g, blank],
  // A private field that ends with its line, before one whose name is computed.
  [/(?<=^[ \t]*(?:static[ \t]+)?#[\w$]+[ \t]*\r?\n\s{0,200})[ \t](?=\[)/gm, () => ';'],
]
const JAVASCRIPT: readonly Rewrite[] = [
  // export { a as null }
  [/(?<=[{,]\s{0,200}[\w$]{1,100}[ \t]{1,9}as[ \t]{1,9})(?!default\b)[a-z]{2,10}(?=\s{0,200}[,}])/g, rename],
]
const TYPES: readonly Rewrite[] = [
  // export type * from …
  [/(?<=\bexport[ \t]+)type(?=[ \t]+\*)/g, blank],
  // A type of another module, import(…).Type: what a promise has is called otherwise.
  [/\bimport\([ \t]*(?:"[^"\n]*"|'[^'\n]*')[ \t]*\)\.(?!(?:then|catch|finally)\b)(?=[\w$])/g, blank],
  // Inside of declare module.
  [/(?<=^[ \t]*)global(?=[ \t]*\{)/gm, blank],
  [/\babstract(?=\??:)/g, rename],
  // [number: Type, string?: Type]
  [/(?<=[[,]\s{0,200})(?:any|bigint|boolean|never|number|object|string|symbol|unknown)(?=\??:)/g, rename],
  [/(?<=\bexport[ \t]+default[ \t]+)abstract(?=[ \t]+class\b)/g, blank],
  [/(?<=\babstract[ \t]+)accessor(?=[ \t]+[\w#$])/g, blank],
]
const REWRITES: Partial<Record<GrammarName, readonly Rewrite[]>> = {
  javascript: [...SCRIPT, ...JAVASCRIPT],
  typescript: [...SCRIPT, ...TYPES],
  tsx: [...SCRIPT, ...TYPES],
}

export function readableScript(grammar: GrammarName, text: string): string {
  const rewrites = REWRITES[grammar]
  if (rewrites === undefined) return text
  const rewritten = rewrites.reduce((now, [found, instead]) => now.replace(found, instead), text)
  if (grammar === 'javascript') return rewritten
  // In what has elements too, a line that begins with `<` is one.
  return blankVariance(grammar === 'typescript' ? endSignatures(rewritten) : rewritten)
}
