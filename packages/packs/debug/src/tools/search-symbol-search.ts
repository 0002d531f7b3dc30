import { type IndexAnswer, type IndexedSymbol, type ToolOutcome, WrongArguments } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { SearchSymbolSearchData, SearchSymbolSearchParams } from '../generated/types.ts'
import { type AskedIndex, askEither, type IndexOutcome } from '../tool-steps/ask-index.ts'
import { askWindow, showPlaces } from '../tool-steps/ask-window.ts'

type Answer = Omit<SearchSymbolSearchData, 'source'>
type Found = SearchSymbolSearchData['symbols'][number]

/** Of what the index finds, when only some kinds are wanted. */
const MAX_FILTERED = 1_000

export async function run(
  params: SearchSymbolSearchParams,
  context: DebugContext,
): Promise<ToolOutcome<SearchSymbolSearchData>> {
  const { query, mode, path, kinds, limit } = params
  if (mode === 'document' && path === undefined) {
    throw new WrongArguments([{ field: 'path', problem: 'is missing: mode "document" lists the symbols of one file' }])
  }
  const file = path === undefined ? undefined : pathsOf(context).resolveFile(path)
  return askEither(
    context,
    async () => {
      const found = await askWindow(context, 'search.symbol-search', {
        query,
        mode,
        limit,
        ...(file === undefined ? {} : { path: file }),
        ...(kinds === undefined ? {} : { kinds }),
      })
      return show(showPlaces<Required<Found>>(context, found.symbols), Number(found.total), params)
    },
    (asked) => fromIndex(params, context, { ...asked, file }),
  )
}

async function fromIndex(
  params: SearchSymbolSearchParams,
  context: DebugContext,
  { index, asker, file }: AskedIndex & { readonly file: string | undefined },
): Promise<IndexOutcome<Answer> | undefined> {
  const { query, mode, kinds, limit } = params
  const wanted = kinds
    ?.toLowerCase()
    .split(',')
    .map((kind) => kind.trim())
  const isDocument = mode === 'document' && file !== undefined
  const found: IndexAnswer<IndexedSymbol> | undefined = isDocument
    ? await index.outline(file, asker)
    : await index.search({ text: query, limit: wanted === undefined ? limit : MAX_FILTERED }, asker)
  if (found === undefined) return undefined
  const isWanted = ({ name, kind }: IndexedSymbol): boolean =>
    (wanted === undefined || wanted.includes(kind)) && (!isDocument || name.toLowerCase().includes(query.toLowerCase()))
  const kept = found.items.filter(isWanted)
  const isCut = found.total > found.items.length
  const paths = pathsOf(context)
  const symbols = kept.slice(0, limit).map((symbol) => ({ ...symbol, path: paths.show(symbol.path) }))
  const total = wanted === undefined && !isDocument ? found.total : kept.length
  return { ...show(symbols, total, params), isComplete: found.isComplete && !(isCut && wanted !== undefined) }
}

function show(
  found: readonly (Omit<Required<Found>, 'container'> & { readonly container?: string | undefined })[],
  total: number,
  { includeLocation, includeContainer }: SearchSymbolSearchParams,
): { data: Answer; text: string } {
  const symbols = found.map(({ name, kind, path, line, container }): Found => {
    const place = includeLocation ? { path, line } : {}
    return { name, kind, ...place, ...(includeContainer && container !== undefined ? { container } : {}) }
  })
  const lines = symbols.map(({ name, kind, path, line, container }) => {
    const where = path === undefined ? '' : ` ${path}:${line}`
    return `${kind} ${container === undefined ? '' : `${container}.`}${name}${where}`
  })
  if (total > symbols.length) lines.push(`… ${total - symbols.length} more: a longer query, or a higher limit`)
  return { data: { symbols, total }, text: lines.length === 0 ? 'No symbol is called so.' : lines.join('\n') }
}
