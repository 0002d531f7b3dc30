import { type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { SearchSymbolSearchData, SearchSymbolSearchParams } from '../generated/types.ts'
import { askWindow, showPlaces } from '../tool-steps/ask-window.ts'

type Found = SearchSymbolSearchData['symbols'][number]

export async function run(
  params: SearchSymbolSearchParams,
  context: DebugContext,
): Promise<ToolOutcome<SearchSymbolSearchData>> {
  const { query, mode, path, kinds, limit, includeLocation, includeContainer } = params
  if (mode === 'document' && path === undefined) {
    throw new WrongArguments([{ field: 'path', problem: 'is missing: mode "document" lists the symbols of one file' }])
  }
  const found = await askWindow(context, 'search.symbol-search', {
    query,
    mode,
    limit,
    ...(path === undefined ? {} : { path: pathsOf(context).resolveFile(path) }),
    ...(kinds === undefined ? {} : { kinds }),
  })
  const symbols = showPlaces<Required<Found>>(context, found.symbols).map(
    ({ name, kind, path: file, line, container }): Found => ({
      name,
      kind,
      ...(includeLocation ? { path: file, line } : {}),
      ...(includeContainer && container !== undefined ? { container } : {}),
    }),
  )
  const total = Number(found.total)
  const lines = symbols.map(({ name, kind, path: file, line, container }) => {
    const where = file === undefined ? '' : ` ${file}:${line}`
    return `${kind} ${container === undefined ? '' : `${container}.`}${name}${where}`
  })
  if (total > symbols.length) lines.push(`… ${total - symbols.length} more: a longer query, or a higher limit`)
  return { data: { symbols, total }, text: lines.length === 0 ? 'No symbol is called so.' : lines.join('\n') }
}
