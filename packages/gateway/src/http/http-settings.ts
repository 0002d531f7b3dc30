import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, systemClock } from '@switchboard/base'
import { type Logger, silentLogger } from '@switchboard/telemetry'
import type { Authenticate } from '../access/access-verdict.ts'
import { createOwnPeerCheck, type OwnPeerCheck } from '../access/own-peers.ts'
import { GATEWAY_DEFAULTS } from '../config/gateway-section.ts'
import type { Gateway } from '../gateway.ts'

/** Looked at whenever a connection comes. */
export interface ConnectionCap {
  readonly most: number
  /** One more came, and was closed at once. */
  onRefused(): void
  /** One could not be taken in: the system has no handle for it. */
  onFailed(error: Error): void
}

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
  /** How many connections may be open at once. Default: as many as the system gives. */
  readonly connections?: ConnectionCap
  /** Legacy sessions at once. Default: 10,000. */
  readonly maxSessions?: number
  /** Milliseconds between two signs of life on a quiet stream. Default: 15 s. */
  readonly keepAliveMs?: number
  /** Default: everybody may come in. */
  readonly authenticate?: Authenticate
  /** How `authenticate` is told whether a connection is of the user that we run as. Default: as the system tells. */
  readonly isOwnPeer?: OwnPeerCheck
  /** Host names that are served besides loopback and `host`. */
  readonly allowedHosts?: readonly string[]
  /** Origins that are served besides our own; their pages may read the answers (CORS). */
  readonly allowedOrigins?: readonly string[]
  /** Gets what is none of the gateway's own routes, after the checks of Host and Origin; true: it answers. */
  readonly extraRoutes?: (request: IncomingMessage, response: ServerResponse, url: string) => boolean
  /** What `/metrics` answers to whoever may come in, of the servers that its profile shows. Absent: there is none. */
  readonly metrics?: (isShown: (server: string) => boolean) => string
  readonly log?: Logger
  readonly clock?: Clock
}

export type HttpSettings = Required<
  Omit<HttpGatewayOptions, 'authenticate' | 'connections' | 'extraRoutes' | 'metrics'>
> &
  Pick<HttpGatewayOptions, 'authenticate' | 'connections' | 'extraRoutes' | 'metrics'>

/** What may be changed while it serves; a member that is there and undefined takes the setting away. */
export type HttpChanges = Pick<
  HttpSettings,
  'maxBodyBytes' | 'sessionIdleTtl' | 'resumeGrace' | 'allowedHosts' | 'allowedOrigins'
> & { [Key in 'authenticate' | 'extraRoutes']: HttpGatewayOptions[Key] | undefined }

export function createHttpSettings(options: HttpGatewayOptions): HttpSettings {
  return {
    host: GATEWAY_DEFAULTS.host,
    port: GATEWAY_DEFAULTS.port,
    maxBodyBytes: GATEWAY_DEFAULTS.maxBodyBytes,
    maxJsonDepth: 128,
    sessionIdleTtl: GATEWAY_DEFAULTS.sessionIdleTimeout,
    resumeGrace: GATEWAY_DEFAULTS.resumeGrace,
    maxSessions: 10_000,
    keepAliveMs: 15_000,
    allowedHosts: [],
    allowedOrigins: [],
    isOwnPeer: createOwnPeerCheck(),
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
