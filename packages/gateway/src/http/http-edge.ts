/**
 * Where an HTTP request comes in, and where everything is said of it that can be said without its session: may it come (Host,
 * Origin), where to, by whom, and of a message which kind and which era. Whatever follows trusts the verdict. Everything it
 * says itself is JSON.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { METRICS_CONTENT_TYPE } from '@switchboard/telemetry'
import type { AccessVerdict } from '../access/access-verdict.ts'
import type { Identity } from '../identity.ts'
import { DEFAULT_PROFILE } from '../router/profile.ts'
import { answerBug } from './answer-bug.ts'
import { type Cors, createCors } from './cors.ts'
import { findRoute, type HttpRoute } from './find-route.ts'
import { answerHealth, answerReadiness } from './health.ts'
import { createHostCheck, type HostCheck } from './host-check.ts'
import { HttpPeer } from './http-peer.ts'
import type { HttpSettings } from './http-settings.ts'
import { type LegacyEndpoint, SESSION_HEADER } from './legacy-endpoint.ts'
import { isModernPost, type ModernHttp } from './modern-http.ts'
import { readAccept } from './negotiation.ts'
import { type MessageLimits, readMessage } from './read-message.ts'
import type { SseEndpoint } from './sse-endpoint.ts'
import type { WebSocketEndpoint } from './websocket-endpoint.ts'
import { createRawResponse, refuse } from './write-response.ts'

export interface HttpEdgeHost {
  readonly settings: HttpSettings
  readonly limits: MessageLimits
  readonly legacy: LegacyEndpoint
  readonly modern: ModernHttp
  readonly sse: SseEndpoint
  readonly webSocket: WebSocketEndpoint
  readonly isStopping: boolean
  /** For `/readyz`. */
  stats(): object
}

const OPEN: AccessVerdict = { ok: true }

export class HttpEdge {
  readonly #host: HttpEdgeHost
  #checkHost: HostCheck
  #cors: Cors
  readonly #peers = new WeakMap<Socket, HttpPeer>()
  #nextPeer = 1

  constructor(host: HttpEdgeHost) {
    this.#host = host
    this.#checkHost = createHostCheck(host.settings)
    this.#cors = createCors(host.settings.allowedOrigins)
  }

  /** The settings have changed: what was made from them is made anew. */
  reconsider(): void {
    this.#checkHost = createHostCheck(this.#host.settings)
    this.#cors = createCors(this.#host.settings.allowedOrigins)
  }

  onRequest(request: IncomingMessage, response: ServerResponse): void {
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
        answerHealth(request, response, route.path)
      } else if (route.endpoint === 'none') {
        if (this.#host.settings.extraRoutes?.(request, response, url) === true) return
        refuse(response, createNotFound(route.path), { status: 404 })
      } else this.#authenticate(request, response, route)
    } catch (thrown) {
      answerBug(this.#host.settings.log, thrown, response)
    }
  }

  #authenticate(request: IncomingMessage, response: ServerResponse, route: HttpRoute): void {
    const { authenticate } = this.#host.settings
    const peer = this.#peerOf(request.socket)
    const verdict = authenticate === undefined ? OPEN : authenticate(request.headers, request.url ?? '/', peer)
    if (verdict instanceof Promise) {
      verdict.then(
        (settled) => this.#enter(request, response, route, settled, peer),
        (thrown: unknown) => answerBug(this.#host.settings.log, thrown, response),
      )
    } else this.#enter(request, response, route, verdict, peer)
  }

  #enter(
    request: IncomingMessage,
    response: ServerResponse,
    route: HttpRoute,
    verdict: AccessVerdict,
    peer: HttpPeer,
  ): void {
    try {
      if (!verdict.ok) {
        const { status, error, headers } = verdict
        refuse(response, error, { status, ...(headers === undefined ? {} : { headers }) })
        return
      }
      // An SSE session has its profile from the stream; its POSTs name none.
      const identity = this.#identify(route, verdict, route.endpoint, peer)
      const isGet = request.method === 'GET'
      if (route.endpoint === 'mcp') this.#handleMcp(request, response, identity)
      else if (route.endpoint === 'ready') this.#answerReadiness(request, response, route, identity)
      else if (route.endpoint === 'metrics' && isGet) this.#answerMetrics(response, identity)
      else if (route.endpoint === 'sse' && isGet) this.#host.sse.open(response, identity)
      else if (route.endpoint === 'messages' && request.method === 'POST') {
        this.#host.sse.post(request, response, identity, route.query.get('sessionId'))
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
      else answerBug(this.#host.settings.log, thrown, response)
    }
  }

  #answerReadiness(request: IncomingMessage, response: ServerResponse, { path }: HttpRoute, identity: Identity): void {
    const { settings, isStopping } = this.#host
    answerReadiness(request, response, path, {
      view: settings.gateway.view(identity),
      stats: this.#host.stats(),
      isStopping,
    })
  }

  /** Names of servers are nobody's business who may not use them: each caller is told of those of its profile. */
  #answerMetrics(response: ServerResponse, identity: Identity): void {
    const { metrics, gateway } = this.#host.settings
    if (metrics === undefined) refuse(response, createNotFound('/metrics'), { status: 404 })
    else {
      const { profile, providers } = gateway.view(identity)
      const shown = new Set(providers.map(({ name }) => name))
      // One that shows all also shows what was there once.
      const isShown = (server: string): boolean => profile.providers === undefined || shown.has(server)
      response.writeHead(200, { 'content-type': METRICS_CONTENT_TYPE }).end(metrics(isShown))
    }
  }

  /** Throws `unknown_profile` and, when the credential is bound to another one, `forbidden`. */
  #identify(
    route: HttpRoute,
    verdict: AccessVerdict & { ok: true },
    endpoint: HttpRoute['endpoint'],
    { connection }: HttpPeer,
  ): Identity {
    const { credential, profile: bound } = verdict
    if (route.profile !== undefined && bound !== undefined && route.profile !== bound) {
      throw new SwitchboardError('forbidden', `This credential is bound to the profile "${bound}"`)
    }
    const profile = route.profile ?? bound ?? DEFAULT_PROFILE.name
    const transport = endpoint === 'ws' ? 'websocket' : endpoint === 'mcp' ? 'http' : 'sse'
    const identity: Identity =
      credential === undefined ? { profile, transport, connection } : { profile, transport, connection, credential }
    this.#host.settings.gateway.router.checkProfile(profile)
    return identity
  }

  #peerOf(socket: Socket): HttpPeer {
    const known = this.#peers.get(socket)
    if (known !== undefined) return known
    const peer = new HttpPeer(String(this.#nextPeer++), socket, this.#host.settings.isOwnPeer)
    this.#peers.set(socket, peer)
    return peer
  }

  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', ignore)
    const refuseUpgrade = (thrown: unknown, status?: number, headers?: Readonly<Record<string, string>>): void => {
      const error = toSwitchboardError(thrown)
      if (error.family === 'ours') this.#host.settings.log.error('gateway.http', error.message, { stack: error.stack })
      const code = status ?? (error.code === 'rate_limited' ? 503 : error.httpStatus)
      socket.end(createRawResponse(code, STATUS_CODES[code] ?? 'Error', error, headers))
    }
    const peer = this.#peerOf(request.socket)
    const enter = async (verdict: AccessVerdict): Promise<void> => {
      if (!verdict.ok) refuseUpgrade(verdict.error, verdict.status, verdict.headers)
      else await this.#host.webSocket.upgrade(request, socket, head, this.#identify(route, verdict, 'ws', peer))
    }
    const route = findRoute(request.url ?? '/')
    try {
      const refused = this.#checkHost(request.headers, 'upgrade')
      if (refused !== undefined) throw refused
      if (route.endpoint !== 'ws') {
        refuseUpgrade(createNotFound(route.path), 404)
        return
      }
      const verdict = this.#host.settings.authenticate?.(request.headers, request.url ?? '/', peer) ?? OPEN
      const entered = verdict instanceof Promise ? verdict.then(enter) : enter(verdict)
      entered.catch((thrown: unknown) => refuseUpgrade(thrown))
    } catch (thrown) {
      refuseUpgrade(thrown)
    }
  }

  /** `/mcp`: both eras on one path. */
  #handleMcp(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const { method, headers } = request
    if (method === 'POST') {
      this.#postMcp(request, response, identity)
    } else if ((method === 'GET' || method === 'DELETE') && headers[SESSION_HEADER] !== undefined) {
      if (method === 'GET') this.#host.legacy.get(headers, response, readAccept(headers.accept), identity)
      else this.#host.legacy.delete(headers, response, identity)
    } else {
      const message = `${method} is not served here without a session; send requests by POST`
      refuse(response, new SwitchboardError('invalid_request', message), {
        status: 405,
        headers: { allow: 'POST, GET, DELETE' },
      })
    }
  }

  #postMcp(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const { headers } = request
    const accepts = readAccept(headers.accept)
    if (!accepts.json && !accepts.events) {
      const message = `Answers are application/json or text/event-stream, and the client accepts ${headers.accept}`
      refuse(response, new SwitchboardError('invalid_request', message), { status: 406 })
      return
    }
    readMessage(request, response, this.#host.limits, (incoming) => {
      if (isModernPost(headers, incoming)) this.#host.modern.post(headers, response, incoming, accepts, identity)
      else this.#host.legacy.post(headers, response, incoming, accepts, identity)
    })
  }
}

function createNotFound(path: string): SwitchboardError {
  return new SwitchboardError('invalid_request', `Nothing is served at ${path.slice(0, 200)}`, {
    hint: 'MCP is served at /mcp and /mcp/<profile>; older clients use /sse or /ws.',
  })
}

function ignore(): void {}
