import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens } from '../lens/ask-lens.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'playset_remove', { name })
  const isRemoved = answer.isRemoved === true
  if (context.isJson) printJson(context, answer)
  else
    context.out.line(
      isRemoved
        ? `${toSafeLine(name)} is no playset of agents any more.`
        : `There is no playset "${toSafeLine(name)}".`,
    )
  return isRemoved ? EXIT.ok : EXIT.failed
}
