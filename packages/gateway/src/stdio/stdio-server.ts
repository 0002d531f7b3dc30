/**
 * One agent on one pair of streams, NDJSON, both eras: `initialize` opens the legacy conversation; a request with a
 * modern envelope is served by itself. The agent's end of input is its end.
 */
import type { Readable, Writable } from 'node:stream'
import { type Caller, createNotification, type JsonRpcMessage, type RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage, LineReader, LineWriter, recoverId } from '@switchboard/protocol/framing'
import { FRONT_TIMES_METHOD } from '@switchboard/protocol/ipc'
import {
  DISCOVER_METHOD,
  LISTEN_METHOD,
  type RequestEnvelopeReading,
  readRequestEnvelope,
} from '@switchboard/protocol/modern'
import { answerBadMessage, answerWithError, createStoppingError, quoteId } from '../answer-with-error.ts'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import { type IncomingNotification, type IncomingRequest, readIncoming } from '../incoming.ts'
import type { LegacySession } from '../legacy/legacy-session.ts'
import { checkEnvelope } from '../modern/modern-request.ts'

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

interface RunningRequest {
  readonly request: IncomingRequest
  readonly controller: AbortController
}

class StdioConversation implements StdioServer {
  readonly #gateway: Gateway
  readonly #identity: Identity
  readonly #writer: LineWriter
  readonly #maxDepth: number
  readonly #running = new Map<RequestId, RunningRequest>()
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
        this.#send(answerWithError(error, { id: recoverId(head, tail) ?? null, begun: performance.now() }))
      },
    })
    input.on('data', (chunk: Buffer) => reader.push(chunk))
    input.once('end', () => {
      reader.end()
      this.close('stdin EOF detected')
    })
    input.on('error', (error) => this.close(`stdin failed: ${error.message}`))
    output.on('error', (error) => this.close(`stdout failed: ${error.message}`))
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
    const view = this.#running.size === 0 ? undefined : this.#gateway.view(this.#identity)
    for (const { request, controller } of [...this.#running.values()]) {
      this.#send(answerWithError(error, request, { view }))
      controller.abort(error)
    }
    this.close(error.message)
  }

  close(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#session?.close(reason)
    const gone = new SwitchboardError('cancelled', `The client is gone: ${reason}`)
    for (const { controller } of this.#running.values()) controller.abort(gone)
    this.#ended.resolve(reason)
  }

  #onLine(line: Buffer): void {
    if (this.#closed) return
    const incoming = readIncoming(line.toString(), this.#maxDepth)
    if (incoming.kind === 'unreadable') this.#send(incoming.answer)
    else if (incoming.kind === 'request') this.#onRequest(incoming)
    else if (incoming.kind === 'notification' && incoming.method === FRONT_TIMES_METHOD)
      this.#gateway.noteFrontTimes(this.#identity, incoming.params)
    else if (incoming.kind !== 'notification' || !this.#cancelModern(incoming)) this.#legacy().receive(incoming)
  }

  #onRequest(request: IncomingRequest): void {
    if (request.method === 'tools/call') this.#calls++
    if (this.#refusing) {
      this.#send(answerWithError(createStoppingError({ executed: false }), request))
      return
    }
    const reading = readRequestEnvelope(request.params)
    if (isModern(request.method, reading, this.#session)) void this.#serveModern(request, reading)
    else this.#legacy().receive(request)
  }

  async #serveModern(request: IncomingRequest, reading: RequestEnvelopeReading): Promise<void> {
    const { id } = request
    if (this.#running.has(id)) {
      this.#send(answerBadMessage(`The id ${quoteId(id)} is in use`, request))
      return
    }
    const envelope = checkEnvelope(reading, request)
    if ('error' in envelope) {
      this.#send(envelope)
      return
    }
    this.#client ??= envelope.clientInfo
    const controller = new AbortController()
    this.#running.set(id, { request, controller })
    const exchange = { signal: controller.signal, notify: (notification: JsonRpcMessage) => this.#send(notification) }
    const response = await this.#gateway.modern.handle({ ...request, envelope, identity: this.#identity }, exchange)
    this.#running.delete(id)
    // A cancelled request is not answered, but a listen stream that is told to end says so.
    if (!controller.signal.aborted || request.method === LISTEN_METHOD) this.#send(response)
  }

  #cancelModern({ method, params }: IncomingNotification): boolean {
    if (method !== 'notifications/cancelled') return false
    // Checked by nobody: whatever it is, it names a request under way or none.
    const running = this.#running.get(params.requestId as RequestId)
    if (running === undefined) return false
    running.controller.abort(new SwitchboardError('cancelled', 'The client cancelled the call'))
    return true
  }

  #legacy(): LegacySession {
    this.#session ??= this.#gateway.openLegacySession(this.#identity, { send: (message) => this.#send(message) })
    return this.#session
  }

  #send(message: JsonRpcMessage): void {
    if (!this.#closed) this.#writer.write(encodeMessage(message))
  }
}

/** Once a legacy conversation is open, a request must bring the whole envelope to count as modern. */
function isModern(method: string, reading: RequestEnvelopeReading, session: LegacySession | undefined): boolean {
  if (method === 'initialize') return false
  return reading.ok || (session === undefined && (reading.present || method === DISCOVER_METHOD))
}
