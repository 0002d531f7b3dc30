import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askLens } from '../lens/ask-lens.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const answer = await askLens(context, 'playset_use', { name })
  if (context.isJson) printJson(context, answer)
  else context.out.line(`${toSafeLine(name)} is the active playset.`)
  return EXIT.ok
}
