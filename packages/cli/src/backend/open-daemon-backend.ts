import type { CommandContext } from '../context/command-context.ts'
import { linkToDaemon } from '../daemon-process/daemon-link.ts'
import type { Backend } from './backend.ts'
import { DaemonBackend } from './daemon-backend.ts'
import { throwOnUnknownServer } from './unknown-server.ts'

/**
 * Undefined: no daemon runs, or it runs another configuration than the one that was named. Rejects with `unknown_server`
 * for an `only` that it does not have, and with `daemon_unavailable` when it does not answer.
 */
export async function openDaemonBackend(
  context: CommandContext,
  only: string | undefined,
): Promise<Backend | undefined> {
  const link = await linkToDaemon(context)
  if (link === undefined) return undefined
  const backend = new DaemonBackend(context, link)
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

async function isMeant({ home }: CommandContext, backend: DaemonBackend): Promise<boolean> {
  if (!home.isConfigExplicit) return true
  return (await backend.daemon()).daemon.config_file === home.configFile
}

async function listNames(backend: Backend): Promise<string[]> {
  return (await backend.status()).map(({ name }) => name)
}
