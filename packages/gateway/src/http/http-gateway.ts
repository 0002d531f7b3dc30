/**
 * The gateway's HTTP server. Checks Host and Origin on every route, asks the authenticator on every route that speaks MCP,
 * and hands over to the endpoint of the path. Everything it says is JSON.
 *
 * Closing: refuse new requests → stop listening → let what is under way finish, for a while → end streams and sessions →
 * cut what is left.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol'
import { METRICS_CONTENT_TYPE } from '@switchboard/telemetry'
import type { AccessVerdict } from '../access/access-verdict.ts'
import type { Identity } from '../identity.ts'
import { DEFAULT_PROFILE } from '../router/profile.ts'
import { type Cors, createCors } from './cors.ts'
import { answerHealth } from './health.ts'
import { Heartbeat } from './heartbeat.ts'
import { createHostCheck, type HostCheck } from './host-check.ts'
import { type Address, HttpListener } from './http-listener.ts'
import { createHttpSettings, type HttpChanges, type HttpGatewayOptions, type HttpSettings } from './http-settings.ts'
import { LegacyEndpoint } from './legacy-endpoint.ts'
import { McpEndpoint } from './mcp-endpoint.ts'
import { ModernHttp } from './modern-http.ts'
import { findRoute, type Route } from './routes.ts'
import { SessionQuota } from './session-quota.ts'
import { SseEndpoint } from './sse-endpoint.ts'
import { Turn } from './turn.ts'
import { WebSocketEndpoint } from './websocket-endpoint.ts'
import { createRawResponse, refuse } from './write-response.ts'

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
const OPEN: AccessVerdict = { ok: true }

class NodeHttpGateway implements HttpGateway {
  readonly #settings: { -readonly [Key in keyof HttpSettings]: HttpSettings[Key] }
  readonly #listener: HttpListener
  readonly #heartbeat: Heartbeat
  readonly #legacy: LegacyEndpoint
  readonly #modern: ModernHttp
  readonly #mcp: McpEndpoint
  readonly #sse: SseEndpoint
  readonly #webSocket: WebSocketEndpoint
  #checkHost: HostCheck
  #cors: Cors
  readonly #connections = new WeakMap<Duplex, string>()
  #nextConnection = 1
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
      onBug: (thrown: unknown, response: ServerResponse) => this.#onBug(thrown, response),
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
    this.#mcp = new McpEndpoint(this.#legacy, this.#modern, limits)
    this.#sse = new SseEndpoint({ gateway, heartbeat, quota, limits })
    this.#webSocket = new WebSocketEndpoint({ gateway, heartbeat, quota, limits })
    this.#checkHost = createHostCheck(settings)
    this.#cors = createCors(settings.allowedOrigins)
    this.#listener = new HttpListener({
      onRequest: (request, response) => this.#onRequest(request, response),
      onUpgrade: (request, socket, head) => this.#onUpgrade(request, socket, head),
      onError: (error) => settings.log.error('gateway.http', error.message),
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
    this.#checkHost = createHostCheck(this.#settings)
    this.#cors = createCors(this.#settings.allowedOrigins)
  }

  async move({ host, port }: Address, { cutOld = false } = {}): Promise<{ url: string; port: number }> {
    const address = await this.#listener.listen({ host, port })
    this.#heartbeat.start()
    Object.assign(this.#settings, { host, port })
    this.#checkHost = createHostCheck(this.#settings)
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

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', ignore)
    try {
      const refused = this.#checkHost(request.headers)
      if (refused !== undefined) {
        refuse(response, refused)
        return
      }
      if (request.headers.origin !== undefined && this.#cors(request, response)) return
      const url = request.url ?? '/'
      const route = findRoute(url)
      if (route.endpoint === 'health') {
        answerHealth(request, response, route.path, {
          ...this.#settings,
          stats: this.stats(),
          isStopping: this.#closing !== undefined,
        })
      } else if (route.endpoint === 'none') {
        if (this.#settings.extraRoutes?.(request, response, url) === true) return
        refuse(response, createNotFound(route.path), { status: 404 })
      } else this.#authenticate(request, response, route)
    } catch (thrown) {
      this.#onBug(thrown, response)
    }
  }

  #authenticate(request: IncomingMessage, response: ServerResponse, route: Route): void {
    const { authenticate } = this.#settings
    const verdict = authenticate === undefined ? OPEN : authenticate(request.headers, request.url ?? '/')
    if (verdict instanceof Promise) {
      verdict.then(
        (settled) => this.#enter(request, response, route, settled),
        (thrown: unknown) => this.#onBug(thrown, response),
      )
    } else this.#enter(request, response, route, verdict)
  }

  #enter(request: IncomingMessage, response: ServerResponse, route: Route, verdict: AccessVerdict): void {
    try {
      if (!verdict.ok) {
        const { status, error, headers } = verdict
        refuse(response, error, { status, ...(headers === undefined ? {} : { headers }) })
        return
      }
      // An SSE session has its profile from the stream; its POSTs name none.
      const identity = this.#identify(route, verdict, route.endpoint, request.socket)
      const isGet = request.method === 'GET'
      if (route.endpoint === 'mcp') this.#mcp.handle(request, response, identity)
      else if (route.endpoint === 'metrics' && isGet) this.#answerMetrics(response)
      else if (route.endpoint === 'sse' && isGet) this.#sse.open(response, identity)
      else if (route.endpoint === 'messages' && request.method === 'POST') {
        this.#sse.post(request, response, identity, route.query.get('sessionId'))
      } else if (route.endpoint === 'ws' && isGet) {
        const error = new SwitchboardError('invalid_request', `${route.path} takes WebSocket connections only`)
        refuse(response, error, { status: 426, headers: { upgrade: 'websocket' } })
      } else {
        const allow = route.endpoint === 'messages' ? 'POST' : 'GET'
        const error = new SwitchboardError('invalid_request', `${request.method} is not served at ${route.path}`)
        refuse(response, error, { status: 405, headers: { allow } })
      }
    } catch (thrown) {
      if (thrown instanceof SwitchboardError) refuse(response, thrown)
      else this.#onBug(thrown, response)
    }
  }

  /** Names of servers are nobody's business who may not use them: unlike health, it is for those who may come in. */
  #answerMetrics(response: ServerResponse): void {
    const { metrics } = this.#settings
    if (metrics === undefined) refuse(response, createNotFound('/metrics'), { status: 404 })
    else response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPE }).end(metrics())
  }

  /** Throws `unknown_profile` and, when the credential is bound to another one, `forbidden`. */
  #identify(
    route: Route,
    verdict: AccessVerdict & { ok: true },
    endpoint: Route['endpoint'],
    socket: Duplex,
  ): Identity {
    const { credential, profile: bound } = verdict
    if (route.profile !== undefined && bound !== undefined && route.profile !== bound) {
      throw new SwitchboardError('forbidden', `This credential is bound to the profile "${bound}"`)
    }
    const profile = route.profile ?? bound ?? DEFAULT_PROFILE.name
    const transport = endpoint === 'ws' ? 'websocket' : endpoint === 'mcp' ? 'http' : 'sse'
    const connection = this.#numberOf(socket)
    const identity: Identity =
      credential === undefined ? { profile, transport, connection } : { profile, transport, connection, credential }
    this.#settings.gateway.view(identity)
    return identity
  }

  #numberOf(socket: Duplex): string {
    const known = this.#connections.get(socket)
    if (known !== undefined) return known
    const number = String(this.#nextConnection++)
    this.#connections.set(socket, number)
    return number
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', ignore)
    const refuseUpgrade = (thrown: unknown, status?: number, headers?: Readonly<Record<string, string>>): void => {
      const error = toSwitchboardError(thrown)
      if (error.family === 'ours') this.#settings.log.error('gateway.http', error.message, { stack: error.stack })
      const code = status ?? (error.code === 'rate_limited' ? 503 : error.httpStatus)
      socket.end(createRawResponse(code, STATUS_CODES[code] ?? 'Error', error, headers))
    }
    const enter = (verdict: AccessVerdict): void => {
      if (!verdict.ok) refuseUpgrade(verdict.error, verdict.status, verdict.headers)
      else this.#webSocket.upgrade(request, socket, head, this.#identify(route, verdict, 'ws', socket))
    }
    const route = findRoute(request.url ?? '/')
    try {
      const refused = this.#checkHost(request.headers)
      if (refused !== undefined) throw refused
      if (route.endpoint !== 'ws') {
        refuseUpgrade(createNotFound(route.path), 404)
        return
      }
      const verdict = this.#settings.authenticate?.(request.headers, request.url ?? '/') ?? OPEN
      if (verdict instanceof Promise) verdict.then(enter).catch((thrown: unknown) => refuseUpgrade(thrown))
      else enter(verdict)
    } catch (thrown) {
      refuseUpgrade(thrown)
    }
  }

  #onBug(thrown: unknown, response: ServerResponse): void {
    const error = toSwitchboardError(thrown)
    const stack = thrown instanceof Error ? thrown.stack : undefined
    this.#settings.log.error('gateway.http', error.message, { stack })
    // What went wrong inside is in the log; outside it is one of our bugs and no more.
    refuse(response, new SwitchboardError('internal', 'The request failed because of a bug in Switchboard'))
  }
}

function createNotFound(path: string): SwitchboardError {
  return new SwitchboardError('invalid_request', `Nothing is served at ${path.slice(0, 200)}`, {
    hint: 'MCP is served at /mcp and /mcp/<profile>; older clients use /sse or /ws.',
  })
}

function toUrl({ host, port }: Address): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function ignore(): void {}
