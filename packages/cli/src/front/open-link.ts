/** From nothing to an attached connection: find or start the daemon, and say who we are. */
import { setTimeout as delay } from 'node:timers/promises'
import { findEndpoint } from '@switchboard/daemon/client'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { AttachParams, HomePaths } from '@switchboard/protocol/ipc'
import { connectEndpoint } from '../daemon-process/connect-endpoint.ts'
import type { ProgramCommand } from '../daemon-process/daemon-program.ts'
import { ensureDaemon, START_TIMEOUT_MS } from '../daemon-process/ensure-daemon.ts'
import { attachFront, type FrontLink } from './front-link.ts'
import type { LinkRequest } from './uplink.ts'

export interface OpenLinkOptions {
  readonly home: HomePaths
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configFile: string | undefined
  readonly attach: AttachParams
  /** For a daemon that has to be started. */
  readonly program: ProgramCommand
}

/** How long a daemon that is about to stop takes to make room for the next, at most, is not ours to know. */
const RETRY_MS = 50

export async function openLink(
  { home, env, configFile, attach: params, program }: OpenLinkOptions,
  { mayStart, patience, signal }: LinkRequest,
): Promise<FrontLink | undefined> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const timeout = Math.max(0, deadline - performance.now())
    const socket = mayStart
      ? (await ensureDaemon({ home, env, program, configFile, signal, timeout, patience })).socket
      : await connectEndpoint(findEndpoint(home))
    if (socket === undefined) return undefined
    try {
      return await attachFront(socket, params, signal)
    } catch (thrown) {
      const error = toSwitchboardError(thrown)
      if (error.code !== 'shutting_down') throw error
      if (!mayStart) return undefined
      if (performance.now() > deadline) {
        throw new SwitchboardError('daemon_unavailable', `The daemon takes no connection: ${error.message}`)
      }
      await delay(RETRY_MS, undefined, { signal })
    }
  }
}
