import { connect, type Socket } from 'node:net'
import { throwOnForeignEndpoint } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol'

/** Nobody listens there, or nobody any more. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Undefined: no daemon listens. Rejects when one may well be there but cannot be reached. */
export async function connectEndpoint(endpoint: string): Promise<Socket | undefined> {
  await throwOnForeignEndpoint(endpoint)
  const { promise, resolve, reject } = Promise.withResolvers<Socket | undefined>()
  const socket = connect(endpoint)
  const onError = (error: NodeJS.ErrnoException): void => {
    socket.destroy()
    if (NOBODY.has(error.code)) resolve(undefined)
    else {
      reject(
        new SwitchboardError('daemon_unavailable', `The daemon's socket ${endpoint} cannot be opened: ${error.code}.`, {
          hint: 'Check who owns that file; `switchboard doctor` tells.',
          cause: error,
        }),
      )
    }
  }
  socket.once('error', onError)
  socket.once('connect', () => {
    socket.off('error', onError)
    resolve(socket)
  })
  return promise
}
