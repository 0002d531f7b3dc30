import { removeServer } from '@switchboard/daemon/configuration'
import type { CommandInput } from '../command-line/command-spec.ts'
import { editOptions } from '../config/change-config.ts'
import { editServer } from '../config/edit-server.ts'
import type { CommandContext } from '../context/command-context.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const change = (text: string): string => removeServer(text, name, editOptions(context))
  return editServer(context, { name, done: 'removed', change })
}
