import { SwitchboardError } from '@switchboard/protocol/errors'
import { openDaemonBackend } from '../backend/open-daemon-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { loadServer } from '../config/load-servers.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

/** Without a daemon a name that does not exist is the more useful thing to be told, so it is looked up first. */
export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const backend = await openDaemonBackend(context, name)
  if (backend === undefined) {
    await loadServer(context, name)
    throw new SwitchboardError('daemon_unavailable', `No daemon is running, so there is no "${name}" to restart.`, {
      hint: 'Start it, and every server with it: switchboard up',
      details: { server: name },
    })
  }
  try {
    await backend.restart(name)
  } finally {
    await backend.close()
  }
  const { out } = context
  if (context.isJson) printJson(context, { ok: true, restarting: name })
  else
    out.line(`${out.style.green('restarting')} ${out.style.bold(name)}; switchboard status ${name} shows how it goes`)
  return EXIT.ok
}
