import { join } from 'node:path'
import type { OrphanGuard, StopGraces } from '@switchboard/process'
import type { ServerConfig } from '../config/server-config.ts'
import type { Logins } from '../oauth/logins.ts'
import { createHttpTransport } from './http-transport.ts'
import { createSseTransport } from './sse-transport.ts'
import { StdioTransport } from './stdio-transport.ts'
import type { UpstreamTransport } from './transport.ts'
import { createWebSocketTransport } from './websocket-transport.ts'

export interface TransportEnvironment {
  readonly guard: OrphanGuard
  readonly maxMessageBytes: number
  readonly stopGraces: StopGraces
  readonly restartGraces: StopGraces
  readonly serversDirectory: string | undefined
  readonly logins: Logins | undefined
}

/** `as` differs from the configured type where a URL turned out to be HTTP+SSE. */
export function createTransport(
  config: ServerConfig,
  as: ServerConfig['type'],
  environment: TransportEnvironment,
): UpstreamTransport {
  const { maxMessageBytes, serversDirectory, logins: _logins, ...stdio } = environment
  if (config.type === 'stdio') {
    const folder = serversDirectory === undefined ? undefined : join(serversDirectory, config.name)
    return new StdioTransport({ config, folder, maxMessageBytes, ...stdio })
  }
  const { url, headers } = config
  const authorization = environment.logins?.of(config)
  switch (as) {
    case 'sse':
      return createSseTransport({ url, headers, maxMessageBytes, authorization })
    case 'websocket':
      return createWebSocketTransport({ url, headers, maxMessageBytes })
    default:
      return createHttpTransport({ url, headers, maxMessageBytes, authorization })
  }
}
