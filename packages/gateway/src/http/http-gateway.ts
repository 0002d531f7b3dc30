/**
 * The life of the gateway's HTTP server: its parts are put together, it listens, moves and closes. What comes in is
 * `http-edge.ts`'s business.
 *
 * Closing: refuse new requests → stop listening → let what is under way finish, for a while → end streams and sessions →
 * cut what is left.
 */
import type { ServerResponse } from 'node:http'
import type { Identity } from '../identity.ts'
import { answerBug } from './answer-bug.ts'
import { Heartbeat } from './heartbeat.ts'
import { HttpEdge } from './http-edge.ts'
import { type Address, HttpListener } from './http-listener.ts'
import { createHttpSettings, type HttpChanges, type HttpGatewayOptions, type HttpSettings } from './http-settings.ts'
import { LegacyEndpoint } from './legacy-endpoint.ts'
import { ModernHttp } from './modern-http.ts'
import { SessionQuota } from './session-quota.ts'
import { SseEndpoint } from './sse-endpoint.ts'
import { Turn } from './turn.ts'
import { WebSocketEndpoint } from './websocket-endpoint.ts'

export interface HttpGatewayStats {
  /** Legacy sessions over all transports. */
  readonly sessions: number
  readonly sseSessions: number
  readonly webSocketSessions: number
  /** Open GET streams of legacy sessions, and modern listen streams. */
  readonly streams: number
  readonly inFlight: number
}

export interface HttpGateway {
  /** Undefined until it listens. */
  readonly url: string | undefined
  listen(): Promise<{ url: string; port: number }>
  /** Holds from the next request on; what is under way goes on as it began. */
  reconfigure(changes: HttpChanges): void
  /** Listens elsewhere; sessions live on. Rejects when that cannot be had, and then everything is as before. */
  move(address: Address, options?: { cutOld?: boolean }): Promise<{ url: string; port: number }>
  /** Ends the sessions and streams of whoever may not be here any longer. */
  endSessions(isOver: (identity: Identity) => boolean, reason: string): void
  /** `drain`: milliseconds that calls under way get to finish. */
  close(options?: { drain?: number }): Promise<void>
  stats(): HttpGatewayStats
}

export function createHttpGateway(options: HttpGatewayOptions): HttpGateway {
  return new NodeHttpGateway(createHttpSettings(options))
}

/** What streams get to write their last message. */
const LAST_WORDS_MS = 200

class NodeHttpGateway implements HttpGateway {
  readonly #settings: { -readonly [Key in keyof HttpSettings]: HttpSettings[Key] }
  readonly #listener: HttpListener
  readonly #heartbeat: Heartbeat
  readonly #legacy: LegacyEndpoint
  readonly #modern: ModernHttp
  readonly #sse: SseEndpoint
  readonly #webSocket: WebSocketEndpoint
  readonly #edge: HttpEdge
  #closing: Promise<void> | undefined

  constructor(settings: HttpSettings) {
    this.#settings = settings
    const { gateway, clock, keepAliveMs, maxJsonDepth } = settings
    const heartbeat = new Heartbeat(clock, keepAliveMs)
    const quota = new SessionQuota(settings.maxSessions)
    // What may change while we serve is looked up at every use.
    const limits = {
      get maxBodyBytes() {
        return settings.maxBodyBytes
      },
      maxJsonDepth,
      turn: new Turn(),
      onBug: (thrown: unknown, response: ServerResponse) => answerBug(settings.log, thrown, response),
    }
    this.#heartbeat = heartbeat
    this.#legacy = new LegacyEndpoint({
      gateway,
      clock,
      heartbeat,
      quota,
      get resumeGrace() {
        return settings.resumeGrace
      },
      get sessionIdleTtl() {
        return settings.sessionIdleTtl
      },
    })
    this.#modern = new ModernHttp({ gateway, heartbeat })
    this.#sse = new SseEndpoint({ gateway, heartbeat, quota, limits })
    this.#webSocket = new WebSocketEndpoint({ gateway, heartbeat, quota, limits })
    const isStopping = (): boolean => this.#closing !== undefined
    const edge = new HttpEdge({
      settings,
      limits,
      legacy: this.#legacy,
      modern: this.#modern,
      sse: this.#sse,
      webSocket: this.#webSocket,
      get isStopping() {
        return isStopping()
      },
      stats: () => this.stats(),
    })
    this.#edge = edge
    this.#listener = new HttpListener({
      onRequest: (request, response) => edge.onRequest(request, response),
      onUpgrade: (request, socket, head) => edge.onUpgrade(request, socket, head),
      connections: settings.connections ?? {
        most: Number.POSITIVE_INFINITY,
        onRefused: () => {},
        onFailed: (error) => settings.log.error('gateway.http', error.message),
      },
    })
  }

  get url(): string | undefined {
    const { address } = this.#listener
    return address === undefined ? undefined : toUrl(address)
  }

  listen(): Promise<{ url: string; port: number }> {
    return this.move(this.#settings)
  }

  reconfigure(changes: HttpChanges): void {
    Object.assign(this.#settings, changes)
    this.#edge.reconsider()
  }

  async move({ host, port }: Address, { cutOld = false } = {}): Promise<{ url: string; port: number }> {
    const address = await this.#listener.listen({ host, port })
    this.#heartbeat.start()
    Object.assign(this.#settings, { host, port })
    this.#edge.reconsider()
    if (cutOld) {
      this.#webSocket.terminate()
      this.#listener.closeOldConnections()
    }
    return { url: toUrl(address), port: address.port }
  }

  endSessions(isOver: (identity: Identity) => boolean, reason: string): void {
    for (const endpoint of [this.#legacy, this.#sse, this.#webSocket]) endpoint.endSessions(isOver, reason)
    this.#settings.gateway.endListens(isOver)
  }

  close({ drain = 0 }: { drain?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(drain)
    return this.#closing
  }

  stats(): HttpGatewayStats {
    const sse = this.#sse.sessionCount
    const webSocket = this.#webSocket.sessionCount
    return {
      sessions: this.#legacy.sessionCount + sse + webSocket,
      sseSessions: sse,
      webSocketSessions: webSocket,
      streams: this.#legacy.streamCount + this.#modern.listening,
      inFlight: this.#legacy.inFlight + this.#modern.inFlight + this.#sse.inFlight + this.#webSocket.inFlight,
    }
  }

  async #close(drain: number): Promise<void> {
    const endpoints = [this.#legacy, this.#modern, this.#sse, this.#webSocket]
    for (const endpoint of endpoints) endpoint.refuseRequests()
    let isStopped = false
    const stopped = this.#listener.stop().then(() => {
      isStopped = true
    })
    await this.#waitUntil(() => this.stats().inFlight === 0, drain)
    for (const endpoint of endpoints) endpoint.close()
    const isQuiet = (): boolean => {
      this.#listener.closeIdleConnections()
      return isStopped && this.#webSocket.sessionCount === 0
    }
    await this.#waitUntil(isQuiet, LAST_WORDS_MS)
    this.#webSocket.terminate()
    this.#listener.closeAllConnections()
    this.#heartbeat.stop()
    await stopped
  }

  /** Resolves in any case once the time is over. */
  async #waitUntil(condition: () => boolean, ms: number): Promise<void> {
    const end = performance.now() + ms
    while (!condition() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function toUrl({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
