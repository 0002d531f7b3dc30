/** What can be known of the daemon of a home without disturbing it. The lock is the only proof; all else are statements. */
import { errorMessage } from '@switchboard/base'
import { readLockState } from '@switchboard/daemon'
import { connectIpc, type DaemonStatus, findEndpoint, readDaemonInfo } from '@switchboard/daemon/client'
import type { DaemonInfo, HomePaths } from '@switchboard/protocol/ipc'

export type DaemonLook =
  | { readonly state: 'none'; readonly info: DaemonInfo | undefined }
  | { readonly state: 'running'; readonly status: DaemonStatus }
  /** Somebody holds the lock and does not answer. */
  | { readonly state: 'silent'; readonly info: DaemonInfo | undefined; readonly reason: string }
  /** The lock itself cannot be looked at. */
  | { readonly state: 'unknown'; readonly reason: string }

const PATIENCE_MS = 5_000

export async function lookAtDaemon(paths: HomePaths): Promise<DaemonLook> {
  const reason = await askStatus(paths)
  if (typeof reason !== 'string') return { state: 'running', status: reason }
  const lock = readLockState(paths.lock)
  if (lock.state === 'unusable') return { state: 'unknown', reason: lock.reason }
  const info = await readDaemonInfo(paths.info)
  return lock.state === 'held' ? { state: 'silent', info, reason } : { state: 'none', info }
}

async function askStatus(paths: HomePaths): Promise<DaemonStatus | string> {
  try {
    const client = await connectIpc(findEndpoint(paths), { timeout: PATIENCE_MS })
    try {
      return await client.request<DaemonStatus>('status', {}, { timeout: PATIENCE_MS })
    } finally {
      client.close()
    }
  } catch (thrown) {
    return errorMessage(thrown)
  }
}
