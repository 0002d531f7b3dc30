import type { CommandInput } from '../command-line/command-spec.ts'
import { COMMANDS } from '../command-line/commands.ts'
import type { BareContext } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { createCompletionScript } from '../help/completion-script.ts'

export async function run({ out }: BareContext, { positionals: [shell = ''] }: CommandInput): Promise<number> {
  out.write(createCompletionScript(shell, COMMANDS))
  return EXIT.ok
}
