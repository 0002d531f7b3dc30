import type { CommandInput } from '../command-line/command-spec.ts'
import { COMMANDS } from '../command-line/commands.ts'
import type { BareContext } from '../context/command-context.ts'
import { createCompletionScript } from '../help/completion-script.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: BareContext, { options, positionals: [shell = ''] }: CommandInput): Promise<number> {
  if (shell !== 'servers' && shell !== 'tools') {
    // As it is: a shell is to read it.
    await context.out.writeSlowly(createCompletionScript(shell, COMMANDS))
    return EXIT.ok
  }
  const { listNames } = await import('../help/list-names.ts')
  for (const name of await listNames(context, options, shell)) context.out.line(name)
  return EXIT.ok
}
