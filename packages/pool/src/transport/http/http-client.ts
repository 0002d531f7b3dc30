/**
 * HTTP to one origin, and only that: the connection pool is bound to it, so that configured headers cannot reach
 * another. Follows 307 and 308 within the origin; every other redirect is handed on as an answer. There is no
 * timeout but that of connecting (budgets belong to the layers above), and no cap on connections, because response
 * streams hold one each.
 *
 * undici's dispatch was measured against node:http with a keep-alive agent, small POSTs: 16 at once 0.05 against
 * 0.13 ms of CPU a call and p50 0.9 against 2.5 ms; one at a time 0.12 against 0.15 ms and p50 about equal, 0.2 ms.
 */
import { Socket } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import type { Authorization } from '../../oauth/upstream-login.ts'
import { AuthorizedExchange } from './authorized-exchange.ts'
import type { HttpHeaders } from './http-headers.ts'

export const CONNECT_TIMEOUT_MS = 10_000
const MAX_REDIRECTS = 5

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Hears of one request: headers, data and end, or an error at any point. Nothing after an end, error or abort. */
export interface HttpSink {
  onHeaders(status: number, headers: HttpHeaders): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: Error): void
}

export interface HttpExchange {
  abort(): void
}

export class HttpClient {
  readonly #pool: Pool
  readonly #connecting: Set<Socket>
  readonly #authorization: Authorization | undefined

  private constructor(pool: Pool, connecting: Set<Socket>, authorization: Authorization | undefined) {
    this.#pool = pool
    this.#connecting = connecting
    this.#authorization = authorization
  }

  /** Loaded on first use: a pool of stdio servers never pays for undici. */
  static async load(origin: string, authorization?: Authorization): Promise<HttpClient> {
    const { buildConnector, Pool } = await import('undici')
    await authorization?.load()
    const connector = buildConnector({ timeout: CONNECT_TIMEOUT_MS })
    // A destroyed pool forgets the sockets that are still connecting, so they are remembered here.
    const connecting = new Set<Socket>()
    const connect: typeof connector = (options, callback) => {
      let done = false
      const socket: unknown = connector(options, (...outcome) => {
        done = true
        if (socket instanceof Socket) connecting.delete(socket)
        callback(...outcome)
      })
      if (socket instanceof Socket && !done) connecting.add(socket)
    }
    const pool = new Pool(origin, { connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 })
    return new HttpClient(pool, connecting, authorization)
  }

  request(request: HttpRequest, sink: HttpSink): HttpExchange {
    if (this.#authorization !== undefined) {
      return new AuthorizedExchange(this.#authorization, request, sink, (own, heard) => this.#send(own, heard))
    }
    return this.#send(request, sink)
  }

  #send(request: HttpRequest, sink: HttpSink): HttpExchange {
    const exchange = new Exchange(this.#pool, request, sink)
    exchange.dispatch()
    return exchange
  }

  async destroy(): Promise<void> {
    for (const socket of this.#connecting) socket.destroy(new Error('the transport was closed'))
    this.#connecting.clear()
    await this.#pool.destroy()
  }
}

class Exchange implements HttpExchange, Dispatcher.DispatchHandler {
  readonly #pool: Pool
  readonly #request: HttpRequest
  readonly #sink: HttpSink
  #url: URL
  #controller: Dispatcher.DispatchController | undefined
  #over = false
  #redirects = 0
  #next: URL | undefined

  constructor(pool: Pool, request: HttpRequest, sink: HttpSink) {
    this.#pool = pool
    this.#request = request
    this.#sink = sink
    this.#url = request.url
  }

  dispatch(): void {
    const { method, headers, body } = this.#request
    const path = `${this.#url.pathname}${this.#url.search}`
    this.#pool.dispatch({ method, path, headers: { ...headers }, body: body ?? null }, this)
  }

  abort(): void {
    if (this.#over) return
    this.#over = true
    this.#controller?.abort(new Error('abandoned'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over) controller.abort(new Error('abandoned'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: HttpHeaders): void {
    if (this.#over || status < 200) return
    this.#next = this.#redirectTarget(status, headers.location)
    if (this.#next === undefined) this.#sink.onHeaders(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#over && this.#next === undefined) this.#sink.onData(chunk)
  }

  onResponseEnd(): void {
    if (this.#over) return
    if (this.#next !== undefined) {
      this.#url = this.#next
      this.#next = undefined
      this.#redirects += 1
      this.dispatch()
      return
    }
    this.#over = true
    this.#sink.onEnd()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return
    this.#over = true
    this.#sink.onError(error)
  }

  #redirectTarget(status: number, location: string | string[] | undefined): URL | undefined {
    if ((status !== 307 && status !== 308) || typeof location !== 'string') return undefined
    if (this.#redirects >= MAX_REDIRECTS) return undefined
    const target = URL.parse(location, this.#url.href)
    return target?.origin === this.#url.origin ? target : undefined
  }
}
