import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, printTable, readFolder, readGiven } from '../lens/ask-lens.ts'
import { readLimit } from '../memory/read-filters.ts'
import { EXIT } from '../program/exit-code.ts'

interface Found {
  readonly total: number
  readonly counts: readonly { readonly code: string; readonly count: number }[]
  readonly items: readonly {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly code: string
    readonly severity: string
    readonly message: string
  }[]
}

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'diagnostics', {
    ...readFolder(context, options),
    ...readGiven(options, { code: 'code', severity: 'severity', path: 'path' }),
    limit: readLimit(options, 'lens diagnostics', 50),
  })
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the lens answers with; see its `thread/reader/diagnostics.ts`.
  const { total, counts, items } = answer.found as unknown as Found
  const { out, err } = context
  if (total === 0) out.line('Nothing is wrong.')
  printTable(
    context,
    [
      { header: 'WHERE', shrinksTo: 20 },
      { header: 'SEVERITY', priority: 1 },
      { header: 'CODE', priority: 2 },
      { header: 'WHAT', shrinksTo: 20 },
    ],
    items.map(({ path, line, column, code, severity, message }) => [
      `${path}:${line}:${column}`,
      severity,
      code,
      message,
    ]),
  )
  if (total > items.length) {
    const all = counts.map(({ code, count }) => `${code} ${count}`).join(', ')
    err.line(err.style.dim(`${items.length} of ${total}: ${all}. --limit shows more.`))
  }
  return EXIT.ok
}
