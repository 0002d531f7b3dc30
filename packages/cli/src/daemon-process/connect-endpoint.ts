import { connect, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { daemonEndpoint, type HomePaths, localEndpointOptions, SwitchboardError } from '@switchboard/protocol'

/** Nobody listens there, or nobody any more. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Where the daemon of that home listens, for this user on this machine. */
export function findEndpoint(home: HomePaths): string {
  return daemonEndpoint(home, localEndpointOptions(process.platform, userInfo()))
}

/** Undefined: no daemon listens. Rejects when one may well be there but cannot be reached. */
export function connectEndpoint(endpoint: string): Promise<Socket | undefined> {
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
