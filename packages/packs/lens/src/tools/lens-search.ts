import type { ToolOutcome } from '@switchboard/toolkit'
import { countOf, cutLine, describeIndex } from '../answers/describe-index.ts'
import { explainNothing } from '../answers/explain-nothing.ts'
import type { LensSearchData, LensSearchParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import type { Group, LineHit, SearchResult, SymbolHit } from '../thread/reader/search.ts'

const GROUPS = ['symbols', 'text', 'files'] as const
const FEW = 5
const MANY = 30
const MAX_LINE = 90

export async function run(
  { query, in: among, kind, path, language, limit, offset }: LensSearchParams,
  context: Context,
): Promise<ToolOutcome<LensSearchData>> {
  const { host, signal } = context
  const scope = await scopeOf(context)
  const groups = among === 'all' ? GROUPS : [among]
  const shown = limit ?? (among === 'all' ? FEW : MANY)
  const found = await host.index.read(
    'search',
    [{ query, scope, groups, limit: shown, offset, kind, path, language }],
    signal,
  )
  const total = GROUPS.reduce((sum, group) => sum + (found[group]?.total ?? 0), 0)
  const notFound = total > 0 ? undefined : explainNothing(`"${query}"`, found.about)
  return {
    data: { ...toData(found), ...(notFound === undefined ? {} : { notFound }) },
    text:
      notFound === undefined ? describe(found, { query, offset }) : `${notFound.message} ${describeIndex(found.about)}`,
  }
}

function toData({ about, symbols, text, files }: SearchResult): LensSearchData {
  const counts = ({ total, isLowerBound }: Group<unknown>) => ({ total, atLeast: isLowerBound })
  const staleOnly = (stale: boolean) => (stale ? { stale } : {})
  return {
    index: about,
    ...(symbols === undefined
      ? {}
      : {
          symbols: {
            ...counts(symbols),
            items: symbols.items.map(({ stale, ...item }) => ({ ...item, ...staleOnly(stale) })),
          },
        }),
    ...(text === undefined
      ? {}
      : {
          text: {
            ...counts(text),
            items: text.items.map(({ stale, text: line, ...item }) => ({
              ...item,
              text: cutLine(line, MAX_LINE),
              ...staleOnly(stale),
            })),
          },
        }),
    ...(files === undefined ? {} : { files: { ...counts(files), items: files.items.map((item) => item.path) } }),
  }
}

function describe(
  { about, symbols, text, files }: SearchResult,
  { query, offset }: { query: string; offset: number },
): string {
  const section = <T>(name: string, group: Group<T> | undefined, what: string, show: (item: T) => string): string[] => {
    if (group === undefined) return []
    const rest = group.total - offset - group.items.length
    const more =
      rest > 0
        ? [
            `  … ${rest}${group.isLowerBound ? ' or more' : ''} more: {query: ${JSON.stringify(query)}, in: "${name}", offset: ${offset + group.items.length}}`,
          ]
        : []
    return [`${name}: ${countOf(group)} ${what}`, ...group.items.map((item) => `  ${show(item)}`), ...more]
  }
  const places = [...(symbols?.items ?? []), ...(text?.items ?? [])]
  const stale = places.filter((place) => place.stale).length
  return [
    ...section('symbols', symbols, 'definitions', showSymbol),
    ...section('text', text, 'files with these words', showLine),
    ...section('files', files, 'by name', (item) => item.path),
    describeIndex(about, stale),
  ].join('\n')
}

function showSymbol({ name, kind, path, line, detail }: SymbolHit): string {
  return cutLine(`${kind} ${name} ${path}:${line}${detail === undefined ? '' : ` ${detail}`}`, MAX_LINE + 30)
}

function showLine({ path, line, text }: LineHit): string {
  return `${path}:${line} ${cutLine(text, MAX_LINE)}`
}
