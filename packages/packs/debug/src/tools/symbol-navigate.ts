import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { SymbolNavigateData, SymbolNavigateParams } from '../generated/types.ts'
import { askWindow, readSymbol, showPlaces } from '../tool-steps/ask-window.ts'

type Place = SymbolNavigateData['locations'][number]
/** With the symbol around it, where that was asked for. */
type Told = Place & { readonly insideKind?: string; readonly insideName?: string }

export async function run(
  params: SymbolNavigateParams,
  context: DebugContext,
): Promise<ToolOutcome<SymbolNavigateData>> {
  const { action, includeDeclaration, enrichWithFlowspaceIds } = params
  const found = await askWindow(context, 'symbol.navigate', {
    ...readSymbol(context, params),
    action,
    enrichWithFlowspaceIds,
    ...(includeDeclaration === undefined ? {} : { includeDeclaration }),
  })
  const locations = showPlaces<Told>(context, found.locations).map(({ insideKind, insideName, ...place }): Place => {
    const isInside = insideKind !== undefined && insideName !== undefined
    return isInside ? { ...place, nodeId: `${insideKind}:${place.path}:${insideName}` } : place
  })
  const lines = locations.map(({ path, line, column, text }) => `${path}:${line}:${column} ${text}`)
  return {
    data: { action, symbol: String(found.symbol), locations, total: locations.length },
    text: lines.length === 0 ? `No ${action} of ${found.symbol} are known.` : lines.join('\n'),
  }
}
