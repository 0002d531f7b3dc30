import type { JsonObject } from '@switchboard/protocol'
import { ProgressDisplay } from '../call/progress-display.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { readProgress } from '../lens/ask-lens.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { renderTable } from '../terminal/table.ts'

interface Evaluated {
  readonly space: string
  readonly items: number
  readonly questions: number
  readonly says: string
  readonly text?: { readonly ndcg: number }
  readonly meaning?: { readonly ndcg: number }
  readonly fused?: { readonly ndcg: number }
}

export async function run(context: CommandContext, { positionals }: CommandInput): Promise<number> {
  const { out, err } = context
  const display = new ProgressDisplay(err)
  const onProgress = (progress: JsonObject): void => {
    if (err.isTTY) display.show(readProgress(progress))
  }
  const answer = await askMemory(context, (ask) => ask('eval', { spaces: [...positionals] }, { onProgress })).finally(
    () => display.close(),
  )
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the memory pack answers with; see its `person-evaluation.ts`.
  const { place, spaces } = answer as unknown as { place: string; spaces: readonly Evaluated[] }
  const quality = (measured: { readonly ndcg: number } | undefined): string => measured?.ndcg.toFixed(3) ?? '–'
  const table = renderTable(
    [
      { header: 'WHAT' },
      { header: 'ITEMS', align: 'right', priority: 1 },
      { header: 'QUESTIONS', align: 'right', priority: 0 },
      { header: 'WORDS', align: 'right' },
      { header: 'MEANING', align: 'right' },
      { header: 'BOTH', align: 'right' },
      { header: 'VERDICT', shrinksTo: 20 },
    ],
    spaces.map(({ space, items, questions, text, meaning, fused, says }) => [
      toSafeLine(space),
      String(items),
      String(questions),
      quality(text),
      quality(meaning),
      quality(fused),
      toSafeLine(says),
    ]),
    { width: out.width, style: out.style },
  )
  for (const line of [table.header, ...table.rows]) out.line(line)
  out.line(
    out.style.dim(`nDCG@10 of what is stored, encoded by ${toSafeLine(place)}: 1 is the right one first, always.`),
  )
  return EXIT.ok
}
