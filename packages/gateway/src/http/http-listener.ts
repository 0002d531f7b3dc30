/**
 * Where HTTP connections come in. One address at a time; when it moves, the new one is opened before the old one is let go,
 * and connections of the old one live on until their requests and streams are over.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorCode } from '@switchboard/base'
import { createStoppingError } from '../answer-with-error.ts'
import type { ConnectionCap } from './http-settings.ts'
import { onClientError, onUnknownExpectation } from './unreadable-request.ts'

export interface Address {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
}

export interface ListenerHandlers {
  onRequest(request: IncomingMessage, response: ServerResponse): void
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  readonly connections: ConnectionCap
}

const MAX_HEADER_BYTES = 16 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than the usual client keeps a connection, so that it is the client who closes it. */
const KEEP_ALIVE_MS = 75_000

interface Bound {
  readonly server: Server
  /** With the port that was really bound. */
  readonly address: Address
}

export class HttpListener {
  readonly #handlers: ListenerHandlers
  /** Current and left ones, as long as they have connections. */
  readonly #servers = new Set<Server>()
  #bound: Bound | undefined
  #isStopped = false

  constructor(handlers: ListenerHandlers) {
    this.#handlers = handlers
  }

  /** Undefined until it listens. */
  get address(): Address | undefined {
    return this.#bound?.address
  }

  /** Also moves: rejects when the address cannot be had, and then the old one is served as before. */
  async listen(address: Address): Promise<Address> {
    const previous = this.#bound
    try {
      this.#bound = await this.#bind(address)
    } catch (error) {
      // Our own listener is in the way of the same port on another address.
      if (previous === undefined || previous.address.port !== address.port || !isInUse(error)) throw error
      this.#bound = await this.#replace(previous, address)
    }
    if (previous !== undefined) void this.#leave(previous.server)
    return this.#bound.address
  }

  /** No new connection is taken; resolves when the last one is gone. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#servers].map((server) => this.#leave(server)))
  }

  closeIdleConnections(): void {
    for (const server of this.#servers) server.closeIdleConnections()
  }

  closeAllConnections(): void {
    for (const server of this.#servers) server.closeAllConnections()
  }

  /** Those that came in by an address that is left. */
  closeOldConnections(): void {
    for (const server of this.#servers) if (server !== this.#bound?.server) server.closeAllConnections()
  }

  async #replace(previous: Bound, address: Address): Promise<Bound> {
    void this.#leave(previous.server)
    try {
      return await this.#bind(address)
    } catch (error) {
      this.#bound = await this.#bind(previous.address)
      throw error
    }
  }

  async #bind({ host, port }: Address): Promise<Bound> {
    const server = this.#createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port }, () => {
        server.off('error', reject)
        // To take a connection in may fail; the next one may work.
        server.on('error', (error) => this.#handlers.connections.onFailed(error))
        resolve()
      })
    })
    this.#servers.add(server)
    // A TCP server's address is never a path.
    const bound = { server, address: { host, port: (server.address() as AddressInfo).port } }
    if (!this.#isStopped) return bound
    await this.#leave(server)
    throw createStoppingError()
  }

  /** Resolves when its last connection is gone. */
  #leave(server: Server): Promise<void> {
    return new Promise((resolve) => {
      const onClosed = (): void => {
        this.#servers.delete(server)
        resolve()
      }
      if (server.listening) server.close(onClosed)
      else if (this.#servers.has(server)) server.once('close', onClosed)
      else resolve()
    })
  }

  #createServer(): Server {
    const { onRequest, onUpgrade } = this.#handlers
    const server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: 5_000,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAlive: true,
        keepAliveInitialDelay: 30_000,
        noDelay: true,
        // A missing Host is refused by our own check, in JSON.
        requireHostHeader: false,
        // Else the first of two Host or Authorization headers is taken and the other passed over; a list is neither.
        joinDuplicateHeaders: true,
        // Some clients offer HTTP/2 with every request (`Upgrade: h2c`); theirs are plain requests.
        shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
      },
      onRequest,
    )
    const { connections } = this.#handlers
    const cap = (): void => {
      server.maxConnections = connections.most
    }
    cap()
    server.on('connection', cap)
    server.on('drop', () => {
      connections.onRefused()
      cap()
    })
    server.on('upgrade', onUpgrade)
    server.on('checkExpectation', onUnknownExpectation)
    server.on('clientError', onClientError)
    return server
  }
}

function isInUse(error: unknown): boolean {
  return errorCode(error) === 'EADDRINUSE'
}
