import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Logger, silentLogger } from '@switchboard/telemetry'
import type { Authenticate } from '../access/access-verdict.ts'
import type { Gateway } from '../gateway.ts'
import { type Clock, systemClock } from './clock.ts'

export interface HttpGatewayOptions {
  readonly gateway: Gateway
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: 19877; 0 for any free one. */
  readonly port?: number
  /** Of a POST's body and of a WebSocket message. Default: 4 MiB. */
  readonly maxBodyBytes?: number
  /** Levels of nesting in a message. Default: 128. */
  readonly maxJsonDepth?: number
  /** Milliseconds without a request, a call under way or an open stream until a session ends. Default: 30 minutes. */
  readonly sessionIdleTtl?: number
  /** Milliseconds that a call whose stream was lost waits to be resumed. Default: 10 s. */
  readonly resumeGrace?: number
  /** Legacy sessions at once. Default: 10,000. */
  readonly maxSessions?: number
  /** Milliseconds between two signs of life on a quiet stream. Default: 15 s. */
  readonly keepAliveMs?: number
  /** Default: everybody may come in. */
  readonly authenticate?: Authenticate
  /** Host names that are served besides loopback and `host`. */
  readonly allowedHosts?: readonly string[]
  /** Origins that are served besides those of loopback; their pages may read the answers (CORS). */
  readonly allowedOrigins?: readonly string[]
  /** Gets what is none of the gateway's own routes, after the checks of Host and Origin; true: it answers. */
  readonly extraRoutes?: (request: IncomingMessage, response: ServerResponse, url: string) => boolean
  /** What `/metrics` answers, to whoever may come in. Absent: there is none. */
  readonly metrics?: () => string
  readonly log?: Logger
  readonly clock?: Clock
}

export type HttpSettings = Required<Omit<HttpGatewayOptions, 'authenticate' | 'extraRoutes' | 'metrics'>> &
  Pick<HttpGatewayOptions, 'authenticate' | 'extraRoutes' | 'metrics'>

/** What may be changed while it serves; a member that is there and undefined takes the setting away. */
export type HttpChanges = Pick<
  HttpSettings,
  'maxBodyBytes' | 'sessionIdleTtl' | 'resumeGrace' | 'allowedHosts' | 'allowedOrigins'
> & { [Key in 'authenticate' | 'extraRoutes']: HttpGatewayOptions[Key] | undefined }

export const DEFAULT_HTTP_PORT = 19_877

export function createHttpSettings(options: HttpGatewayOptions): HttpSettings {
  return {
    host: '127.0.0.1',
    port: DEFAULT_HTTP_PORT,
    maxBodyBytes: 4 * 1024 * 1024,
    maxJsonDepth: 128,
    sessionIdleTtl: 30 * 60_000,
    resumeGrace: 10_000,
    maxSessions: 10_000,
    keepAliveMs: 15_000,
    allowedHosts: [],
    allowedOrigins: [],
    log: silentLogger,
    clock: systemClock,
    ...withoutUndefined(options),
  }
}

/** A default also stands in for a member that is there and undefined. */
function withoutUndefined(options: HttpGatewayOptions): HttpGatewayOptions {
  // Only members without a value are left out, so what remains is still what it was.
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as HttpGatewayOptions
}
