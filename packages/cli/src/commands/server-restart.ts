import { SwitchboardError } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { loadServer } from '../config/load-servers.ts'
import type { CommandContext } from '../context/command-context.ts'

/** A name that does not exist is the more useful thing to be told, so it is looked up first. */
export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  await loadServer(context, name)
  throw new SwitchboardError('server_stopped', `There is no daemon running, so there is no "${name}" to restart.`, {
    hint: 'Servers live as long as the command that runs them. In switchboard status --watch, select it and press r.',
    details: { server: name },
  })
}
