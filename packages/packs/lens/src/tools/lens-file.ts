import { readSource } from '@switchboard/source/walk'
import type { ToolOutcome } from '@switchboard/toolkit'
import { describeIndex } from '../answers/describe-index.ts'
import { explainFile } from '../answers/explain-file.ts'
import type { LensFileData, LensFileParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import { resolvePath } from '../workspaces.ts'

const SHOWN_LINES = 200
const MAX_SYMBOLS = 20

export async function run(
  { path: given, firstLine, lastLine, symbol }: LensFileParams,
  context: Context,
): Promise<ToolOutcome<LensFileData>> {
  const { host, signal } = context
  const scope = await scopeOf(context)
  const { root, rootPath, path } = resolvePath(scope, given)
  const query = { scope, root, path }
  const wanted = lastLine ?? firstLine + SHOWN_LINES - 1
  const range = symbol === undefined ? { first: firstLine, last: wanted, limit: MAX_SYMBOLS } : undefined
  const all = { first: 1, last: Number.MAX_SAFE_INTEGER, limit: 100_000 }
  const facts = await host.index.read('file', [query, range ?? all], signal)
  const notFound = explainFile(given, facts) ?? explainSymbol(given, symbol, facts.symbols)
  const { about, language, stale } = facts
  if (notFound !== undefined) {
    return { data: { index: about, path: given, notFound }, text: `${notFound.message} ${describeIndex(about)}` }
  }
  const own = facts.symbols.find(({ name }) => name === symbol)
  const first = own?.line ?? firstLine
  const last = own?.endLine ?? wanted
  // As it was indexed: whatever it is encoded in, and with the lines that were counted.
  const source = readSource(rootPath, path, host.config.maxFileSize, { anyLines: true })
  if (typeof source === 'string') {
    const gone = { reason: 'skipped' as const, message: `${given} has changed, and cannot be read now: ${source}.` }
    return { data: { index: about, path: given, notFound: gone }, text: `${gone.message} ${describeIndex(about)}` }
  }
  const lines = source.text.split('\n')
  const shown = lines.slice(first - 1, last)
  const inView = facts.symbols
    .filter(({ line, endLine }) => line <= last && endLine >= first)
    .slice(0, MAX_SYMBOLS)
    .map(({ name, kind, line, endLine }) => ({ name, kind, line, endLine }))
  const data = {
    ...{ index: about, path: given, language, lines: lines.length, firstLine: first, stale, symbols: inView },
    lastLine: first + shown.length - 1,
    text: shown.join('\n'),
  }
  const seen =
    inView.length === 0
      ? ''
      : `\nin view: ${inView.map(({ kind, name, line }) => `${kind} ${name} ${line}`).join(', ')}`
  const head = `${given}:${first}-${data.lastLine} of ${lines.length}${seen}`
  return { data, text: `${head}\n${data.text}\n${describeIndex(about, stale ? 1 : 0)}` }
}

function explainSymbol(path: string, symbol: string | undefined, symbols: readonly { readonly name: string }[]) {
  if (symbol === undefined || symbols.some(({ name }) => name === symbol)) return undefined
  return {
    reason: 'not_in_index' as const,
    message: `${path} has no symbol "${symbol}"; lens_outline lists those that it has.`,
  }
}
