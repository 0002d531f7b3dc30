import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, printTable, readGiven } from '../lens/ask-lens.ts'
import { readLimit } from '../memory/read-filters.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

interface Found {
  readonly playset: string
  readonly total: number
  readonly report: {
    readonly lostKeys: number
    readonly classes: readonly { readonly class: string; readonly count: number; readonly open: number }[]
    readonly notJudged: readonly string[]
    readonly agreement?: { readonly agree: number; readonly differs: number; readonly unknown: number }
  }
  readonly items: readonly {
    readonly id: number
    readonly class: string
    readonly kind: string
    readonly name: string
    readonly effective?: string
    readonly losers: readonly string[]
    readonly why: string
    readonly confidence: string
    readonly lostKeys?: readonly string[]
  }[]
}

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const given = { playset: 'playset', class: 'class', mod: 'mod', folder: 'folder', kind: 'kind', key: 'key' }
  const answer = await askLens(context, 'conflicts', {
    ...readGiven(options, given),
    intended: options.flag('intended'),
    limit: readLimit(options, 'lens conflicts', 50),
  })
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the lens answers with; see its `playset-commands.ts`.
  const { playset, total, report, items } = answer as unknown as Found
  const { out, err } = context
  printTable(
    context,
    [
      { header: '#', align: 'right' },
      { header: 'CLASS' },
      { header: 'WHAT', shrinksTo: 16 },
      { header: 'IN EFFECT', shrinksTo: 16 },
      { header: 'NOT', shrinksTo: 16, priority: 1 },
      { header: 'LOST', align: 'right' },
      { header: 'SURE', priority: 0 },
    ],
    items.map((item) => [
      ...[String(item.id), item.class, `${item.kind} ${item.name}`, item.effective ?? '–', item.losers.join(', ')],
      ...[String(item.lostKeys?.length ?? 0), item.confidence],
    ]),
  )
  out.line(`${toSafeLine(playset)}: ${describe(report)}`)
  if (total > items.length) out.line(`${items.length} of ${total} are shown: --limit shows more`)
  if (report.agreement !== undefined) {
    const { agree, differs, unknown } = report.agreement
    out.line(`the game's own log: ${agree} agree, ${differs} differ, ${unknown} unknown to the index`)
  }
  for (const line of report.notJudged) err.line(err.style.dim(`not judged: ${toSafeLine(line)}`))
  return EXIT.ok
}

/** Of the whole playset, whatever the table was narrowed to. */
function describe({ classes, lostKeys }: Found['report']): string {
  const open = classes.filter((row) => row.open > 0)
  const toLookAt = open.reduce((sum, row) => sum + row.open, 0)
  const intended = classes.reduce((sum, row) => sum + row.count - row.open, 0)
  return [
    toLookAt === 0
      ? 'no conflict to look at'
      : `${toLookAt} to look at (${open.map((row) => `${row.class} ${row.open}`).join(', ')})`,
    ...(intended === 0 ? [] : [`${intended} intended, which --intended shows`]),
    ...(lostKeys === 0 ? [] : [`${lostKeys} keys lost`]),
  ].join('; ')
}
