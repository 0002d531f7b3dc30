import type { IndexedReference, IndexedSymbol, ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { SymbolCallsData, SymbolCallsParams } from '../generated/types.ts'
import { type AskedIndex, askEither, type IndexOutcome, qualified } from '../tool-steps/ask-index.ts'
import { askWindow, readSymbol, showPlaces } from '../tool-steps/ask-window.ts'
import { findIndexed } from '../tool-steps/find-indexed.ts'

type Answer = Omit<SymbolCallsData, 'source'>
type SymbolCall = SymbolCallsData['calls'][number]

/** Of one name, which the index has read. */
const MAX_REFERENCES = 1_000
/** Of what a function calls: where a name is defined so often, it means nothing. */
const MAX_DEFINITIONS = 5

export async function run(params: SymbolCallsParams, context: DebugContext): Promise<ToolOutcome<SymbolCallsData>> {
  const named = readSymbol(context, params)
  return askEither(
    context,
    async () => {
      const { direction, enrichWithFlowspaceIds } = params
      const found = await askWindow(context, 'symbol.calls', { ...named, direction })
      const calls = showPlaces<SymbolCall>(context, found.calls).map((call) =>
        enrichWithFlowspaceIds ? withId(call, call.name) : call,
      )
      return show({ symbol: String(found.symbol), direction, calls, totalCalls: calls.length })
    },
    async (asked) => {
      const symbol = await findIndexed(context, asked, named)
      if (symbol === undefined) return undefined
      return params.direction === 'incoming'
        ? callersOf(symbol, params, context, asked)
        : calleesOf(symbol, params, context, asked)
    },
  )
}

async function callersOf(
  symbol: IndexedSymbol,
  params: SymbolCallsParams,
  context: DebugContext,
  { index, asker }: AskedIndex,
): Promise<IndexOutcome<Answer> | undefined> {
  const found = await index.references({ name: symbol.name, limit: MAX_REFERENCES }, asker)
  if (found === undefined) return undefined
  const callers = new Map<string, { symbol: IndexedSymbol; lines: number[] }>()
  for (const { isCall, path, line, within } of found.items) {
    if (!isCall) continue
    // Outside of everything, the file itself calls.
    const around = within ?? { name: path.slice(path.lastIndexOf('/') + 1), kind: 'file', line: 1 }
    const key = `${path}:${around.line}:${qualified(around)}`
    const caller = callers.get(key) ?? { symbol: { ...around, path, endLine: around.line }, lines: [] }
    caller.lines.push(line)
    callers.set(key, caller)
  }
  const calls = [...callers.values()].map((caller) => describe(caller.symbol, caller.lines, params, context))
  const isComplete = found.isComplete && found.total <= found.items.length
  return { ...show({ symbol: qualified(symbol), direction: 'incoming', calls, totalCalls: calls.length }), isComplete }
}

/** What is defined elsewhere, in a library, is not told: nobody knows where. */
async function calleesOf(
  symbol: IndexedSymbol,
  params: SymbolCallsParams,
  context: DebugContext,
  { index, asker }: AskedIndex,
): Promise<IndexOutcome<Answer> | undefined> {
  const { path, line, endLine } = symbol
  const found = await index.callsFrom({ path, line, endLine }, asker)
  if (found === undefined) return undefined
  const calls: SymbolCall[] = []
  for (const [name, lines] of linesByName(found.items)) {
    const defined = await index.definitions({ name, limit: MAX_DEFINITIONS + 1 }, asker)
    const all = defined?.items ?? []
    const near = all.filter((definition) => definition.path === path)
    const meant = near.length > 0 ? near : all.length > MAX_DEFINITIONS ? [] : all
    calls.push(...meant.map((definition) => describe(definition, lines, params, context)))
  }
  const { isComplete } = found
  return { ...show({ symbol: qualified(symbol), direction: 'outgoing', calls, totalCalls: calls.length }), isComplete }
}

function linesByName(references: readonly IndexedReference[]): Map<string, number[]> {
  const lines = new Map<string, number[]>()
  for (const { name, line } of references) lines.set(name, [...(lines.get(name) ?? []), line])
  return lines
}

function describe(
  symbol: IndexedSymbol,
  lines: readonly number[],
  { enrichWithFlowspaceIds }: SymbolCallsParams,
  context: DebugContext,
): SymbolCall {
  const { name, kind, path, line } = symbol
  const call = { name, kind, path: pathsOf(context).show(path), line, calledAt: [...new Set(lines)] }
  return enrichWithFlowspaceIds ? withId(call, qualified(symbol)) : call
}

const withId = (call: SymbolCall, name: string): SymbolCall => ({
  ...call,
  nodeId: `${call.kind}:${call.path}:${name}`,
})

function show(data: Answer): { data: Answer; text: string } {
  const { symbol, direction, calls } = data
  const lines = calls.map(({ name, path, line, calledAt }) => `${name} ${path}:${line}, at line ${calledAt.join(', ')}`)
  const none = direction === 'incoming' ? `Nobody calls ${symbol}.` : `${symbol} calls nobody.`
  return { data, text: lines.length === 0 ? none : lines.join('\n') }
}
