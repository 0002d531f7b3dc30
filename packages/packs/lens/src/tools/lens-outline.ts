import type { ToolOutcome } from '@switchboard/toolkit'
import { cutLine, describeIndex } from '../answers/describe-index.ts'
import { explainFile } from '../answers/explain-file.ts'
import type { LensOutlineData, LensOutlineParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import { resolvePath } from '../workspaces.ts'

const MAX_LINE = 140

export async function run(
  { path: given, limit }: LensOutlineParams,
  context: Context,
): Promise<ToolOutcome<LensOutlineData>> {
  const { host, signal } = context
  const scope = await scopeOf(context)
  const { root, path } = resolvePath(scope, given)
  const range = { first: 1, last: Number.MAX_SAFE_INTEGER, limit }
  const facts = await host.index.read('file', [{ scope, root, path }, range], signal)
  const { about, language, lines, stale, symbols, symbolCount, problemCount } = facts
  const notFound = explainFile(given, facts)
  const data = { index: about, path: given, symbols: [...symbols], symbolCount, problemCount }
  if (notFound !== undefined)
    return { data: { ...data, notFound }, text: `${notFound.message} ${describeIndex(about)}` }
  const rest = symbolCount - symbols.length
  const text = [
    `${given}: ${language}, ${lines} lines, ${symbolCount} symbols, ${problemCount} problems`,
    ...symbols.map(({ name, kind, line, endLine, depth, detail }) =>
      cutIndented(depth, `${kind} ${name} ${line}-${endLine}${detail === undefined ? '' : ` ${detail}`}`),
    ),
    ...(rest > 0 ? [`… ${rest} more: give limit`] : []),
    describeIndex(about, stale ? 1 : 0),
  ].join('\n')
  return { data: { ...data, language, lines, stale }, text }
}

const cutIndented = (depth: number, text: string): string => `${'  '.repeat(depth + 1)}${cutLine(text, MAX_LINE)}`
