import { connect, type Socket } from 'node:net'
import { errorCode } from '@switchboard/base'
import { throwOnForeignEndpoint } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol/errors'

/** No socket, one that its daemon left behind when it was killed, or one that is closed while we knock. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Whether connecting failed because nobody listens there, or nobody any more. */
export function isNobodyThere(error: unknown): boolean {
  return NOBODY.has(errorCode(error))
}

/** Undefined: no daemon listens. Rejects when one may well be there but cannot be reached. */
export async function connectEndpoint(endpoint: string): Promise<Socket | undefined> {
  await throwOnForeignEndpoint(endpoint)
  const { promise, resolve, reject } = Promise.withResolvers<Socket | undefined>()
  const socket = connect(endpoint)
  const onError = (error: NodeJS.ErrnoException): void => {
    socket.destroy()
    if (isNobodyThere(error)) resolve(undefined)
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
