import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { SymbolRenameData, SymbolRenameParams } from '../generated/types.ts'
import { askWindow, readSymbol, showPlaces } from '../tool-steps/ask-window.ts'

type FileChange = SymbolRenameData['changes'][number]

export async function run(params: SymbolRenameParams, context: DebugContext): Promise<ToolOutcome<SymbolRenameData>> {
  const { newName } = params
  const found = await askWindow(context, 'symbol.rename', { ...readSymbol(context, params), newName })
  const changes = showPlaces<FileChange>(context, found.changes)
  const totalEdits = changes.reduce((sum, { edits }) => sum + edits, 0)
  const lines = changes.map(({ path, edits }) => `${path}: ${edits}`)
  return {
    data: { applied: true, symbol: String(found.symbol), changes, totalFiles: changes.length, totalEdits },
    text: [`${found.symbol} is ${newName} now, in ${totalEdits} places:`, ...lines].join('\n'),
  }
}
