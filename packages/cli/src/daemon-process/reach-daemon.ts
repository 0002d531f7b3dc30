/** The way from a command to the daemon of its home, if one runs. */
import { connectIpc, type DaemonHealth, findEndpoint, type IpcClient, readDaemonInfo } from '@switchboard/daemon/client'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { DaemonInfo } from '@switchboard/protocol/ipc'
import type { CommandContext } from '../context/command-context.ts'
import { isNobodyThere } from './connect-endpoint.ts'

/** A daemon that lives answers this from memory; the machine may be busy. */
const HEALTH_MS = 5_000

export interface ReachedDaemon {
  readonly client: IpcClient
  readonly endpoint: string
  readonly pid: number
  readonly version: string
  readonly state: string
}

/**
 * Undefined: nobody listens, or one that hangs up because it ends. Rejects with `daemon_unavailable` when somebody
 * listens and does not answer.
 */
export async function reachDaemon(context: CommandContext): Promise<ReachedDaemon | undefined> {
  const client = await connect(findEndpoint(context.home))
  return client && greetDaemon(context, client)
}

/** The same over a connection that is there. Undefined: whoever is at its other end hangs up. */
export async function greetDaemon(context: CommandContext, client: IpcClient): Promise<ReachedDaemon | undefined> {
  try {
    const options = { timeout: HEALTH_MS, signal: context.io.signal }
    const { pid, version, state } = await client.request<DaemonHealth>('health', {}, options)
    return { client, endpoint: findEndpoint(context.home), pid, version, state }
  } catch (error) {
    client.close()
    if (context.io.signal.aborted) throw error
    if (isConnectionLost(error)) return undefined
    throw createMuteError(await readDaemonInfo(context.home.info), error)
  }
}

/** The daemon went away while it was asked; one that lives and is silent runs into the time limit. */
export function isConnectionLost(error: unknown): boolean {
  return toSwitchboardError(error).code === 'daemon_unavailable'
}

async function connect(endpoint: string): Promise<IpcClient | undefined> {
  try {
    return await connectIpc(endpoint)
  } catch (error) {
    if (error instanceof Error && isNobodyThere(error.cause)) return undefined
    throw error
  }
}

function createMuteError(info: DaemonInfo | undefined, cause: unknown): SwitchboardError {
  const who = info === undefined ? 'A daemon' : `The daemon (pid ${info.pid})`
  return new SwitchboardError('daemon_unavailable', `${who} is there but does not answer.`, {
    hint: 'End it with switchboard down --force, or go without it: --no-daemon.',
    details: info === undefined ? {} : { pid: info.pid },
    cause,
  })
}
