import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, printTable, readFolder, readGiven } from '../lens/ask-lens.ts'
import { readLimit } from '../memory/read-filters.ts'
import { EXIT } from '../program/exit-code.ts'

interface Group<T> {
  readonly total: number
  readonly items: readonly T[]
}

interface Found {
  readonly symbols: Group<{
    readonly name: string
    readonly kind: string
    readonly path: string
    readonly line: number
  }>
  readonly text: Group<{ readonly path: string; readonly line: number; readonly text: string }>
  readonly files: Group<{ readonly path: string }>
}

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'search', {
    ...readFolder(context, options),
    ...readGiven(options, { kind: 'kind', path: 'path' }),
    query: positionals.join(' '),
    limit: readLimit(options, 'lens search', 10),
  })
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the lens answers with; see its `thread/reader/search.ts`.
  const { symbols, text, files } = answer.found as unknown as Found
  const { out } = context
  const place = (path: string, line: number): string => `${path}:${line}`
  if (symbols.total + text.total + files.total === 0) out.line('Nothing has all of these words.')
  printTable(
    context,
    [{ header: `SYMBOLS (${symbols.total})` }, { header: 'KIND', priority: 1 }, { header: 'WHERE', shrinksTo: 20 }],
    symbols.items.map((item) => [item.name, item.kind, place(item.path, item.line)]),
  )
  printTable(
    context,
    [
      { header: `TEXT (${text.total} files)`, shrinksTo: 20 },
      { header: 'LINE', shrinksTo: 20 },
    ],
    text.items.map((item) => [place(item.path, item.line), item.text.trim()]),
  )
  printTable(
    context,
    [{ header: `FILES (${files.total})`, shrinksTo: 20 }],
    files.items.map(({ path }) => [path]),
  )
  return EXIT.ok
}
