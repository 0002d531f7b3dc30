/**
 * One agent on one pair of streams, NDJSON, both eras: `initialize` opens the legacy conversation; a request with a
 * modern envelope is served by itself. The agent's end of input is its end.
 */
import type { Readable, Writable } from 'node:stream'
import {
  classifyMessage,
  createFailure,
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
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import type { LegacySession } from '../legacy/legacy-session.ts'
import { parseMessage } from '../parse-message.ts'

export interface StdioServerOptions {
  readonly gateway: Gateway
  readonly identity: Identity
  readonly input: Readable
  readonly output: Writable
  /** Of one message, in bytes. */
  readonly maxMessageBytes?: number
  readonly maxJsonDepth?: number
}

export interface StdioServer {
  /** The agent is gone: its input ended, or its output broke. The text says which. */
  readonly ended: Promise<string>
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
  #closed = false

  constructor({
    gateway,
    identity,
    input,
    output,
    maxMessageBytes = 64 * 1024 * 1024,
    maxJsonDepth = 128,
  }: StdioServerOptions) {
    this.#gateway = gateway
    this.#identity = identity
    this.#maxDepth = maxJsonDepth
    this.#writer = new LineWriter((text) => {
      if (output.writable) output.write(text)
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
    if (kind === 'request' && isModern(message, this.#session))
      void this.#serveModern(message as unknown as JsonRpcRequest)
    else if (
      kind === 'notification' &&
      message.method === 'notifications/cancelled' &&
      this.#cancelModern(message.params)
    )
      return
    else this.#legacy().receive(message)
  }

  async #serveModern(request: JsonRpcRequest): Promise<void> {
    const { id } = request
    if (this.#running.has(id)) {
      this.#send(
        createFailure(id, { code: JSON_RPC_ERROR.invalidRequest, message: `The id ${JSON.stringify(id)} is in use` }),
      )
      return
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
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
