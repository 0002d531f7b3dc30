/** The way from a command to the daemon of its home, if one runs. */
import { connectIpc, type DaemonHealth, findEndpoint, type IpcClient, readDaemonInfo } from '@switchboard/daemon/client'
import { type DaemonInfo, SwitchboardError } from '@switchboard/protocol'
import type { CommandContext } from '../context/command-context.ts'

/** A daemon that lives answers this from memory; the machine may be busy. */
const HEALTH_MS = 5_000

export interface DaemonLink {
  readonly client: IpcClient
  readonly endpoint: string
  readonly pid: number
  readonly version: string
  readonly state: string
}

/** Undefined: nobody listens. Rejects with `daemon_unavailable` when somebody does, and does not answer. */
export async function linkToDaemon(context: CommandContext): Promise<DaemonLink | undefined> {
  const endpoint = findEndpoint(context.home)
  const client = await connect(endpoint)
  if (client === undefined) return undefined
  try {
    const options = { timeout: HEALTH_MS, signal: context.io.signal }
    const { pid, version, state } = await client.request<DaemonHealth>('health', {}, options)
    return { client, endpoint, pid, version, state }
  } catch (error) {
    client.close()
    if (context.io.signal.aborted) throw error
    throw createMuteError(await readDaemonInfo(context.home.info), error)
  }
}

async function connect(endpoint: string): Promise<IpcClient | undefined> {
  try {
    return await connectIpc(endpoint)
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    // No socket, or one that its daemon left behind when it was killed.
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
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
