import { KeptVariables } from '@switchboard/daemon/configuration'
import type { CommandInput } from '../command-line/command-spec.ts'
import { askVerdict } from '../config/ask-verdict.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const deleted = await new KeptVariables(context.home.secrets, context.io.env).delete(name)
  if (deleted) await askVerdict(context, '', false)
  if (context.isJson) printJson(context, { name, deleted })
  else context.out.line(deleted ? `Forgot ${name}.` : `Nothing is kept under ${name}.`)
  return deleted ? EXIT.ok : EXIT.failed
}
