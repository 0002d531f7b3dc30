import {
  createFailure,
  createNotification,
  createSuccess,
  type Era,
  isJsonObject,
  type JsonObject,
  type JsonRpcErrorObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  type RequestId,
} from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type {
  ClosedInfo,
  CloseOptions,
  SendOptions,
  TransportHandlers,
  TransportKind,
  UpstreamTransport,
} from '../../src/transport/transport.ts'
import type { FakeServer } from './fake-server.ts'

/** What a scripted server does with a request. `undefined`: it keeps silent until the test answers. */
export type Reply = JsonObject | { readonly error: JsonRpcErrorObject } | { readonly exit: ClosedInfo } | undefined

interface Waiter {
  readonly isThere: () => JsonRpcRequest | undefined
  resolve(request: JsonRpcRequest): void
}

export const EXITED: ClosedInfo = { reason: 'exit', message: 'exited with code 1', exitCode: 1, exitSignal: null }

/** The real interface over a scripted server: remembers all that it was told, and lets a test act as the far side. */
export class FakeTransport implements UpstreamTransport {
  readonly kind: TransportKind
  readonly pid: number | undefined
  readonly noticesExit: boolean
  readonly sent: { readonly message: JsonRpcMessage; readonly options: SendOptions | undefined }[] = []
  readonly abandoned: RequestId[] = []
  readonly closes: CloseOptions[] = []
  protocol: { readonly era: Era; readonly version: string } | undefined
  readonly #server: FakeServer
  readonly #waiters = new Set<Waiter>()
  readonly #closed = Promise.withResolvers<void>()
  #handlers: TransportHandlers | undefined
  #isOver = false
  #isGone = false

  constructor(server: FakeServer, pid: number) {
    this.#server = server
    this.kind = server.script.kind ?? 'stdio'
    this.pid = this.kind === 'stdio' ? pid : undefined
    this.noticesExit = server.script.noticesExit ?? true
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Its process is no longer there. */
  get isGone(): boolean {
    return this.#isGone
  }

  open(handlers: TransportHandlers): void {
    this.#handlers = handlers
    const failure = this.#server.script.failsToOpen
    if (failure !== undefined) this.simulateExit(failure)
  }

  send(message: JsonRpcMessage, options?: SendOptions): void {
    if (this.#isOver) return
    this.sent.push({ message, options })
    if (!isRequest(message)) return
    for (const waiter of [...this.#waiters]) {
      const request = waiter.isThere()
      if (request !== undefined) {
        this.#waiters.delete(waiter)
        waiter.resolve(request)
      }
    }
    // A far side never answers while it is still being written to.
    queueMicrotask(() => this.#answer(message))
  }

  abandon(id: RequestId): void {
    this.abandoned.push(id)
  }

  setProtocol(era: Era, version: string): void {
    this.protocol = { era, version }
  }

  close(options: CloseOptions = {}): Promise<void> {
    this.closes.push(options)
    this.#isOver = true
    if (this.#server.script.closesSlowly !== true || options.force === true) this.simulateClosed()
    return this.#closed.promise
  }

  requests(method: string): JsonRpcRequest[] {
    return this.sent.flatMap(({ message }) => (isRequest(message) && message.method === method ? [message] : []))
  }

  notifications(method: string): JsonObject[] {
    return this.sent.flatMap(({ message }) =>
      'method' in message && !('id' in message) && message.method === method ? [message.params ?? {}] : [],
    )
  }

  /** What we answered to the server's own request. */
  answerTo(id: RequestId): JsonRpcMessage | undefined {
    return this.sent.map(({ message }) => message).find((message) => !('method' in message) && message.id === id)
  }

  /** The nth request of that method, now or when it comes. */
  waitFor(method: string, count = 1): Promise<JsonRpcRequest> {
    const isThere = (): JsonRpcRequest | undefined => this.requests(method)[count - 1]
    const there = isThere()
    if (there !== undefined) return Promise.resolve(there)
    return new Promise((resolve) => this.#waiters.add({ isThere, resolve }))
  }

  simulateMessage(message: unknown, origin?: RequestId): void {
    if (!this.#isOver) this.#handlers?.onMessage(message, origin)
  }

  simulateResult(id: RequestId, result: JsonObject): void {
    this.simulateMessage(createSuccess(id, result), this.kind === 'http' ? id : undefined)
  }

  simulateNotification(method: string, params?: JsonObject, origin?: RequestId): void {
    this.simulateMessage(createNotification(method, params), origin)
  }

  /** The server's own request to its client. */
  simulateQuestion(id: RequestId, method: string, params: JsonObject = {}, origin?: RequestId): void {
    this.simulateMessage({ jsonrpc: '2.0', id, method, params }, origin)
  }

  simulateOutput(stream: 'stdout' | 'stderr', line: string): void {
    this.#handlers?.onOutput(stream, line)
  }

  simulateOversized(id: RequestId | null | undefined, bytes: number): void {
    this.#handlers?.onOversized(id, bytes)
  }

  simulateTooDeep(id: RequestId | null | undefined): void {
    this.#handlers?.onTooDeep(id)
  }

  simulateRequestFailed(id: RequestId, error: SwitchboardError): void {
    this.#handlers?.onRequestFailed(id, error)
  }

  simulateExit(info: ClosedInfo = EXITED): void {
    if (this.#isOver) return
    this.#isOver = true
    // A slow one leaves grandchildren behind, which are gone when it is closed.
    this.#isGone = this.#server.script.closesSlowly !== true
    this.#handlers?.onClosed(info)
  }

  /** A slow close is done. */
  simulateClosed(): void {
    if (!this.#isOver) return
    this.#isGone = true
    this.#closed.resolve()
  }

  #answer(request: JsonRpcRequest): void {
    if (this.#isOver) return
    const reply = this.#server.reply(request, this)
    if (reply === undefined) return
    if (isJsonObject(reply) && 'exit' in reply) this.simulateExit(reply.exit as ClosedInfo)
    else if (isJsonObject(reply) && 'error' in reply)
      this.simulateMessage(createFailure(request.id, reply.error as JsonRpcErrorObject))
    else this.simulateResult(request.id, reply as JsonObject)
  }
}

function isRequest(message: JsonRpcMessage): message is JsonRpcRequest {
  return 'method' in message && 'id' in message
}
