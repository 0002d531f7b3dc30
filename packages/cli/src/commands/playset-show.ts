import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens } from '../lens/ask-lens.ts'
import { printPlayset, type ShownPlayset } from '../lens/print-playset.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { positionals: [name] }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'playset_show', name === undefined ? {} : { name })
  if (context.isJson) printJson(context, answer)
  // What the lens answers with; see its `playset-commands.ts`.
  else printPlayset(context, answer.playset as unknown as ShownPlayset)
  return EXIT.ok
}
