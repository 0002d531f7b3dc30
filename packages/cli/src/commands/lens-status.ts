import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens, readFolder } from '../lens/ask-lens.ts'
import { type IndexFacts, printFacts } from '../lens/index-facts.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'status', readFolder(context, options))
  if (context.isJson) printJson(context, answer)
  else if (answer.isIndexed !== true) context.out.line('This folder is not indexed: switchboard lens build does it.')
  // What the lens answers with; see its `person-commands.ts`.
  else printFacts(context, answer.facts as unknown as IndexFacts)
  return EXIT.ok
}
