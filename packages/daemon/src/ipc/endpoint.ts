/** Where the daemon of a home is reached. Whoever listens and whoever connects ask here. */
import { lstat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { daemonEndpoint, type HomePaths, localEndpointOptions } from '@switchboard/protocol/ipc'

const isWindows = process.platform === 'win32'

export function findEndpoint(paths: HomePaths): string {
  return daemonEndpoint(paths, localEndpointOptions(process.platform, userInfo()))
}

/** Whoever owns the folder of a socket may be the one who listens there: another user is not talked to. */
export async function throwOnForeignEndpoint(endpoint: string): Promise<void> {
  if (isWindows) return
  const owner = await lstat(dirname(endpoint)).then(
    ({ uid }) => uid,
    () => undefined,
  )
  const own = process.getuid?.()
  if (owner === undefined || owner === own || owner === 0) return
  throw new SwitchboardError(
    'daemon_unavailable',
    `The folder of ${endpoint} belongs to the user ${owner}, and this is the user ${own}.`,
    { hint: 'Name a home of your own with --home or SWITCHBOARD_HOME.' },
  )
}
