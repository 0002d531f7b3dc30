import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { SymbolCallsData, SymbolCallsParams } from '../generated/types.ts'
import { askWindow, readSymbol, showPlaces } from '../tool-steps/ask-window.ts'

type SymbolCall = SymbolCallsData['calls'][number]

export async function run(params: SymbolCallsParams, context: DebugContext): Promise<ToolOutcome<SymbolCallsData>> {
  const { direction, enrichWithFlowspaceIds } = params
  const found = await askWindow(context, 'symbol.calls', { ...readSymbol(context, params), direction })
  const calls = showPlaces<SymbolCall>(context, found.calls).map((call) =>
    enrichWithFlowspaceIds ? { ...call, nodeId: `${call.kind}:${call.path}:${call.name}` } : call,
  )
  const symbol = String(found.symbol)
  const lines = calls.map(({ name, path, line, calledAt }) => `${name} ${path}:${line}, at line ${calledAt.join(', ')}`)
  const none = direction === 'incoming' ? `Nobody calls ${symbol}.` : `${symbol} calls nobody.`
  return {
    data: { symbol, direction, calls, totalCalls: calls.length },
    text: lines.length === 0 ? none : lines.join('\n'),
  }
}
