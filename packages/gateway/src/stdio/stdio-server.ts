/**
 * One agent on one pair of streams, NDJSON, both eras: `initialize` opens the legacy conversation; a request with a
 * modern envelope is served by itself. The agent's end of input is its end.
 */
import type { Readable, Writable } from 'node:stream'
import {
  type Caller,
  classifyMessage,
  createFailure,
  createNotification,
  isBatch,
  isJsonObject,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  LineReader,
  LineWriter,
  type RequestId,
  readEnvelope,
  recoverId,
  SwitchboardError,
  toJsonRpcError,
} from '@switchboard/protocol'
import { createBadMessageError } from '../bad-message.ts'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import type { LegacySession } from '../legacy/legacy-session.ts'
import { parseMessage } from '../parse-message.ts'

/** The largest message, and as much again. Whoever leaves more unread has stopped reading. */
const MAX_UNREAD_BYTES = 128 * 1024 * 1024

export interface StdioServerOptions {
  readonly gateway: Gateway
  readonly identity: Identity
  readonly input: Readable
  readonly output: Writable
  /** Of one message, in bytes. */
  readonly maxMessageBytes?: number
  readonly maxJsonDepth?: number
  /** Left unread by the agent, in bytes: beyond that it is given up. */
  readonly maxUnreadBytes?: number
}

export interface StdioServer {
  /** The agent is gone: its input ended, its output broke, or it does not read. The text says which. */
  readonly ended: Promise<string>
  /** Requests that have no answer yet. */
  readonly inFlight: number
  /** Of tools, so far. */
  readonly calls: number
  /** As the agent named itself. */
  readonly client: Caller['clientInfo']
  /** To whoever carries the connection, not to the agent's session. */
  notify(method: string): void
  /** From now on requests are refused with `shutting_down`; those under way go on. */
  refuseRequests(): void
  /** Whatever is under way is answered with the error; then it is over. */
  shutDown(error: SwitchboardError): void
  close(reason: string): void
}

export function serveStdio(options: StdioServerOptions): StdioServer {
  return new StdioConversation(options)
}

class StdioConversation implements StdioServer {
  readonly #gateway: Gateway
  readonly #identity: Identity
  readonly #writer: LineWriter
  readonly #maxDepth: number
  readonly #running = new Map<RequestId, AbortController>()
  readonly #ended = Promise.withResolvers<string>()
  #session: LegacySession | undefined
  #client: Caller['clientInfo']
  #calls = 0
  #refusing = false
  #closed = false

  constructor({
    gateway,
    identity,
    input,
    output,
    maxMessageBytes = 64 * 1024 * 1024,
    maxJsonDepth = 128,
    maxUnreadBytes = MAX_UNREAD_BYTES,
  }: StdioServerOptions) {
    this.#gateway = gateway
    this.#identity = identity
    this.#maxDepth = maxJsonDepth
    this.#writer = new LineWriter((text) => {
      if (!output.writable) return
      output.write(text)
      if (output.writableLength > maxUnreadBytes) {
        this.close(`it does not read: ${output.writableLength} bytes wait for it`)
      }
    })
    const reader = new LineReader(maxMessageBytes, {
      onLine: (line) => this.#onLine(line),
      onOversized: ({ bytes, head, tail }) => {
        const error = new SwitchboardError('request_too_large', `A message of ${bytes} bytes is too large`)
        this.#send(createFailure(recoverId(head, tail) ?? null, toJsonRpcError(error)))
      },
    })
    input.on('data', (chunk: Buffer) => reader.push(chunk))
    input.once('end', () => {
      reader.end()
      this.close('stdin EOF detected')
    })
    input.once('error', (error) => this.close(`stdin failed: ${error.message}`))
    output.once('error', (error) => this.close(`stdout failed: ${error.message}`))
  }

  get ended(): Promise<string> {
    return this.#ended.promise
  }

  get inFlight(): number {
    return this.#running.size + (this.#session?.inFlight ?? 0)
  }

  get calls(): number {
    return this.#calls
  }

  get client(): Caller['clientInfo'] {
    return this.#session?.clientInfo ?? this.#client
  }

  notify(method: string): void {
    this.#send(createNotification(method))
  }

  refuseRequests(): void {
    this.#refusing = true
  }

  shutDown(error: SwitchboardError): void {
    if (this.#closed) return
    this.#session?.shutDown(error)
    const rpc = toJsonRpcError(error)
    for (const [id, controller] of [...this.#running]) {
      this.#send(createFailure(id, rpc))
      controller.abort(error)
    }
    this.close(error.message)
  }

  close(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#session?.close(reason)
    const gone = new SwitchboardError('cancelled', `The client is gone: ${reason}`)
    for (const controller of this.#running.values()) controller.abort(gone)
    this.#ended.resolve(reason)
  }

  #onLine(line: Buffer): void {
    if (this.#closed) return
    const text = line.toString()
    const parsed = parseMessage(text, this.#maxDepth)
    if (!parsed.ok) {
      this.#send(createFailure(null, parsed.error))
      return
    }
    const message = parsed.value
    if (isBatch(message) || !isJsonObject(message)) this.#legacy().receive(message)
    else this.#onMessage(message)
  }

  #onMessage(message: JsonObject): void {
    const kind = classifyMessage(message)
    if (kind === 'request' && message.method === 'tools/call') this.#calls++
    if (kind === 'request' && this.#refusing) this.#refuse(message.id as RequestId)
    else if (kind === 'request' && isModern(message, this.#session))
      void this.#serveModern(message as unknown as JsonRpcRequest)
    else if (
      kind === 'notification' &&
      message.method === 'notifications/cancelled' &&
      this.#cancelModern(message.params)
    )
      return
    else this.#legacy().receive(message)
  }

  #refuse(id: RequestId): void {
    const error = new SwitchboardError('shutting_down', 'Switchboard is stopping', { executed: false })
    this.#send(createFailure(id, toJsonRpcError(error, { requestId: id })))
  }

  async #serveModern(request: JsonRpcRequest): Promise<void> {
    const { id } = request
    if (this.#running.has(id)) {
      const message = `The id ${JSON.stringify(id)} is in use`
      this.#send(createFailure(id, createBadMessageError({ code: JSON_RPC_ERROR.invalidRequest, message, id })))
      return
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
    if (this.#client === undefined) {
      const reading = readEnvelope(request.params)
      if (reading.ok) this.#client = reading.envelope.clientInfo
    }
    const exchange = { signal: controller.signal, notify: (notification: JsonRpcMessage) => this.#send(notification) }
    const response = await this.#gateway.handleModern(request, exchange, this.#identity)
    this.#running.delete(id)
    // A cancelled request is not answered, but a listen stream that is told to end says so.
    if (!controller.signal.aborted || request.method === 'subscriptions/listen') this.#send(response)
  }

  #cancelModern(params: unknown): boolean {
    const controller = isJsonObject(params) ? this.#running.get(params.requestId as RequestId) : undefined
    if (controller === undefined) return false
    controller.abort(new SwitchboardError('cancelled', 'The client cancelled the call'))
    return true
  }

  #legacy(): LegacySession {
    this.#session ??= this.#gateway.openLegacySession(this.#identity, { send: (message) => this.#send(message) })
    return this.#session
  }

  #send(message: JsonRpcMessage): void {
    if (!this.#closed) this.#writer.write(JSON.stringify(message))
  }
}

/** Once a legacy conversation is open, a request must bring the whole envelope to count as modern. */
function isModern(message: JsonObject, session: LegacySession | undefined): boolean {
  if (message.method === 'initialize') return false
  const reading = readEnvelope(message.params)
  return (
    reading.ok ||
    (reading.present && session === undefined) ||
    (session === undefined && message.method === 'server/discover')
  )
}
