import type { IndexedReference, IndexedSymbol, ToolOutcome } from '@switchboard/toolkit'
import { ToolError } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { SymbolNavigateData, SymbolNavigateParams } from '../generated/types.ts'
import { type AskedIndex, askEither, type IndexOutcome, qualified } from '../tool-steps/ask-index.ts'
import { askWindow, readSymbol, showPlaces } from '../tool-steps/ask-window.ts'
import { findIndexed } from '../tool-steps/find-indexed.ts'
import { SourceLines } from '../workspace/source-lines.ts'

type Answer = Omit<SymbolNavigateData, 'source'>
type Place = SymbolNavigateData['locations'][number]
/** With the symbol around it, where that was asked for. */
type Told = Place & { readonly insideKind?: string; readonly insideName?: string }

/** More are counted, not listed. */
const MAX_PLACES = 200
const NEXT_STEP =
  'Open the folder in VS Code with the extension for the language, or ask for the references: those in heads of classes are among them.'

export async function run(
  params: SymbolNavigateParams,
  context: DebugContext,
): Promise<ToolOutcome<SymbolNavigateData>> {
  const named = readSymbol(context, params)
  return askEither(
    context,
    () => fromWindow(params, context, named),
    (asked) => fromIndex(params, context, { ...asked, named }),
  )
}

async function fromWindow(params: SymbolNavigateParams, context: DebugContext, named: ReturnType<typeof readSymbol>) {
  const { action, includeDeclaration, enrichWithFlowspaceIds } = params
  const found = await askWindow(context, 'symbol.navigate', {
    ...named,
    action,
    enrichWithFlowspaceIds,
    ...(includeDeclaration === undefined ? {} : { includeDeclaration }),
  })
  const locations = showPlaces<Told>(context, found.locations).map(({ insideKind, insideName, ...place }): Place => {
    const isInside = insideKind !== undefined && insideName !== undefined
    return isInside ? { ...place, nodeId: `${insideKind}:${place.path}:${insideName}` } : place
  })
  return show({ action, symbol: String(found.symbol), locations, total: locations.length })
}

/** What implements something is a question of meaning, which an index of names cannot answer. */
async function fromIndex(
  { action, includeDeclaration, enrichWithFlowspaceIds }: SymbolNavigateParams,
  context: DebugContext,
  { named, ...asked }: AskedIndex & { readonly named: ReturnType<typeof readSymbol> },
): Promise<IndexOutcome<Answer> | undefined> {
  if (action === 'implementations') {
    const reason = 'No editor answers for this folder, and its index goes by names: it knows no implementations'
    throw new ToolError('E_NO_LANGUAGE_SERVER', reason, { hint: NEXT_STEP })
  }
  const symbol = await findIndexed(context, asked, named)
  if (symbol === undefined) return undefined
  const found = await asked.index.references({ name: symbol.name, limit: MAX_PLACES }, asked.asker)
  if (found === undefined) return undefined
  const lines = new SourceLines()
  const paths = pathsOf(context)
  const own = includeDeclaration === false ? [] : [declarationOf(symbol, lines)]
  const all: readonly IndexedReference[] = [...own, ...found.items]
  const locations = all.map(({ path, line, column, within }): Place => {
    const shown = paths.show(path)
    const inside = enrichWithFlowspaceIds ? within : undefined
    const nodeId = inside === undefined ? {} : { nodeId: `${inside.kind}:${shown}:${qualified(inside)}` }
    return { path: shown, line, column, text: lines.read(path, line).trim(), ...nodeId }
  })
  const { total, isComplete } = found
  return { ...show({ action, symbol: qualified(symbol), locations, total: total + own.length }), isComplete }
}

function declarationOf({ name, path, line }: IndexedSymbol, lines: SourceLines): IndexedReference {
  return { name, path, line, column: Math.max(lines.read(path, line).indexOf(name), 0) + 1, isCall: false }
}

function show(data: Answer): { data: Answer; text: string } {
  const { action, symbol, locations, total } = data
  const lines = locations.map(({ path, line, column, text }) => `${path}:${line}:${column} ${text}`)
  if (total > locations.length) lines.push(`… ${total - locations.length} more`)
  return { data, text: lines.length === 0 ? `No ${action} of ${symbol} are known.` : lines.join('\n') }
}
