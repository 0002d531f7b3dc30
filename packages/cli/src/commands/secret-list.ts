import { KeptVariables } from '@switchboard/daemon/configuration'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext): Promise<number> {
  const names = await new KeptVariables(context.home.secrets, context.io.env).names()
  if (context.isJson) printJson(context, { secrets: names })
  else if (names.length === 0) context.out.line('No secrets. Keep one with: switchboard secret set <NAME>')
  else for (const name of names) context.out.line(name)
  return EXIT.ok
}
