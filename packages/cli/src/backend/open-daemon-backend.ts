import type { CommandContext } from '../context/command-context.ts'
import { reachDaemon } from '../daemon-process/reach-daemon.ts'
import type { Backend } from './backend.ts'
import { SocketLink } from './socket-link.ts'
import { SwitchboardBackend } from './switchboard-backend.ts'
import { throwOnUnknownServer } from './unknown-server.ts'

/**
 * Undefined: no daemon runs, or it runs another configuration than the one that was named. Rejects with `unknown_server`
 * for an `only` that it does not have, and with `daemon_unavailable` when it does not answer.
 */
export async function openDaemonBackend(
  context: CommandContext,
  only: string | undefined,
): Promise<Backend | undefined> {
  const link = await reachDaemon(context)
  if (link === undefined) return undefined
  const backend = new SwitchboardBackend(context, new SocketLink({ ...link, inst: context.inst }))
  try {
    if (await isMeant(context, backend)) {
      if (only !== undefined) throwOnUnknownServer(only, await listNames(backend))
      return backend
    }
    await backend.close()
    return undefined
  } catch (error) {
    await backend.close()
    throw error
  }
}

async function isMeant({ home }: CommandContext, backend: Backend): Promise<boolean> {
  if (!home.isConfigExplicit) return true
  return (await backend.daemon())?.daemon.config_file === home.configFile
}

async function listNames(backend: Backend): Promise<string[]> {
  return (await backend.status()).map(({ name }) => name)
}
