/** Symbols, references and problems of a file of code, by its syntax. */
import { type GrammarName, languageOf } from '../languages.ts'
import { DecodedSource } from '../read/decoded-source.ts'
import { decodeSource, isMinified } from '../read/read-source.ts'
import type { Syntax, SyntaxFailure, SyntaxLimits } from '../syntax/syntax.ts'
import { CodeWalk } from './code-walk.ts'
import { type CompiledTable, compileTable } from './compiled-table.ts'
import type { ExtractedProblem, Extraction } from './extraction.ts'
import { CODE_TABLES } from './languages/code-tables.ts'
import { readAroundMacros } from './preprocessed/read-around-macros.ts'
import { readableScript } from './preprocessed/readable-script.ts'

/** Declarations alone: no function has a body. */
const AMBIENT = /\.d\.[cm]?ts$/i
/** Whatever the ending says: Qt's translations are called .ts as well. No language that we read begins so. */
const MARKUP = /^\s*<(?:\?xml|!doctype)\b/i

const compiled = new Map<GrammarName, CompiledTable>()

export async function extractCode(
  path: string,
  content: Uint8Array | string,
  syntax: Syntax,
  limits: SyntaxLimits,
): Promise<Extraction | undefined> {
  const { name: language, grammar: known } = languageOf(path)
  if (known === undefined) return undefined
  const source = typeof content === 'string' ? new DecodedSource(content) : decodeSource(content)
  if (source === undefined) return undefined
  if (MARKUP.test(source.text)) return undefined
  if (isMinified(source.text)) return without(language, 'minified')
  const end = performance.now() + limits.timeout
  const readable = CODE_TABLES[known].isPreprocessed === true ? readAroundMacros(source.text) : undefined
  const text = readable?.text ?? readableScript(known, source.text)
  // A header of either: that of C reads what the one of C++ takes for expressions.
  const grammar = language === 'c' && readable?.isPlusPlus === false ? 'c' : known
  const walked = await syntax.read(grammar, text, limits, (root) => {
    const table = compiled.get(grammar) ?? compileTable(CODE_TABLES[grammar], root.tree.language)
    compiled.set(grammar, table)
    const options = { macros: readable?.defined ?? [], isAmbient: AMBIENT.test(path) }
    const walk = new CodeWalk(source, table, { end, isStopped: limits.isStopped }, options)
    walk.run(root.tree)
    for (const { name, at, isCall } of readable?.macros ?? []) walk.addMacro(name, at, isCall)
    return walk
  })
  if (typeof walked === 'string') return without(language, walked)
  const { symbols, references, problems, isCut } = walked
  if (isCut) problems.list.push(saying('cut'))
  return { language, symbols, references, problems: problems.list }
}

type Reason = SyntaxFailure | 'minified' | 'cut'

const MESSAGES: Readonly<Record<Reason, string>> = {
  slow: 'Reading its syntax took too long: its symbols are not known',
  too_large: 'It is too large for its syntax to be read: its symbols are not known',
  broken: 'The parser failed on it: its symbols are not known',
  minified: 'Its lines are those of a program that wrote it: its symbols are not known',
  cut: 'It holds more names than are kept of one file, or took too long: some of its symbols are not known',
}

const saying = (reason: Reason): ExtractedProblem => ({
  code: `syntax.${reason.replace('_', '-')}`,
  severity: 'information',
  start: 0,
  end: 0,
  line: 1,
  column: 1,
  message: MESSAGES[reason],
})

const without = (language: string, reason: Reason): Extraction => ({
  language,
  symbols: [],
  references: [],
  problems: [saying(reason)],
})
