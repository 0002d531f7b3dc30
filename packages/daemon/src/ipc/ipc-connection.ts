/**
 * One connection to the daemon's socket: requests in, answers and events out, until `attach` hands the rest of it to
 * the gateway. Over TCP the first line is the token, and the first line that is no JSON ends it: a web page can send a
 * POST to any port of this machine, and it must reach no method.
 */

import { timingSafeEqual } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Disposable, nearestName } from '@switchboard/base'
import { createParamError } from '@switchboard/config/arguments'
import {
  classifyMessage,
  createFailure,
  createNotification,
  createSuccess,
  isJsonObject,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcMessage,
  type RequestId,
} from '@switchboard/protocol'
import {
  createErrorMeta,
  type FailedRequest,
  SwitchboardError,
  toJsonRpcError,
  toSwitchboardError,
} from '@switchboard/protocol/errors'
import { encodeMessage, JsonTooDeepError, JsonTooManyPartsError, parsePlainJson } from '@switchboard/protocol/framing'
import { IPC_METHODS, PROGRESS_METHOD } from '@switchboard/protocol/ipc'
import type { Logger } from '@switchboard/telemetry'
import { FrameSplitter } from './frame-splitter.ts'
import type { DaemonEvent } from './ipc-results.ts'

export interface MethodContext {
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal
  /** Tells who waits for the answer how far it is. */
  progress?(progress: JsonObject): void
  readonly traceId?: string
  readonly inst?: string
}

export type Method = (params: JsonObject, context: MethodContext) => object | Promise<object>

/** The connection, as the one sees it who takes it over. */
export interface AttachLine {
  readonly isOpen: boolean
  /** Answers the request; from here on every byte is the taker's. It has to be resumed. */
  accept(result: object): Duplex
  drop(): void
}

export interface IpcHost {
  readonly log: Logger
  /** Without `attach` and `subscribe`, which change the connection itself. */
  readonly methods: ReadonlyMap<string, Method>
  attach(params: JsonObject, line: AttachLine): Promise<void>
  subscribe(listener: (event: DaemonEvent) => void): Disposable
}

const MAX_REQUEST_BYTES = 16 * 1024 * 1024
const MAX_TOKEN_BYTES = 256
/** How long one connection is read without a break. */
const SLICE_MS = 20
/** A reader that leaves more than this unread is cut off. */
const MAX_UNREAD_BYTES = 32 * 1024 * 1024
/** How long a TCP connection may say nothing before its first request. */
const FIRST_LINE_MS = 5_000

/** A request, as far as its failure tells of it. */
type Asked = FailedRequest & { readonly id: RequestId }

export class IpcConnection {
  readonly #socket: Socket
  readonly #host: IpcHost
  readonly #splitter: FrameSplitter
  readonly #gone = new AbortController()
  readonly #onData = (chunk: Buffer): void => {
    this.#splitter.push(chunk)
    this.#read()
  }
  readonly #isStrict: boolean
  /** Still to be shown. */
  #token: string | undefined
  #subscription: Disposable | undefined
  #pending = 0
  #isAttaching = false
  #isWaiting = false
  #isHandedOver = false

  /** `token`: a TCP connection, which has to show it first. */
  constructor(socket: Socket, host: IpcHost, token?: string) {
    this.#socket = socket
    this.#host = host
    this.#token = token
    this.#isStrict = token !== undefined
    this.#splitter = new FrameSplitter(token === undefined ? MAX_REQUEST_BYTES : MAX_TOKEN_BYTES)
    if (this.#isStrict) socket.setTimeout(FIRST_LINE_MS, () => socket.destroy())
    socket.on('data', this.#onData)
    // Whatever it is, `close` follows.
    socket.on('error', () => {})
    socket.once('close', () => {
      this.#subscription?.dispose()
      this.#gone.abort(new SwitchboardError('cancelled', 'The connection is closed'))
    })
  }

  get isAttached(): boolean {
    return this.#isHandedOver
  }

  /** What was answered still leaves. */
  end(): void {
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #read(): void {
    const until = performance.now() + SLICE_MS
    while (!this.#isAttaching && !this.#socket.destroyed) {
      if (performance.now() > until) {
        this.#readOnLater()
        return
      }
      const frame = this.#splitter.next()
      if (frame === undefined) return
      if (frame === 'oversized') {
        this.#onOversized()
        return
      }
      if (this.#token !== undefined) this.#checkToken(frame, this.#token)
      else if (frame.length > 0) this.#onFrame(frame.toString())
    }
  }

  /** Thousands of requests fit into one chunk: others get their turn between. */
  #readOnLater(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#socket.pause()
    setImmediate(() => {
      this.#isWaiting = false
      this.#read()
      if (!this.#isWaiting && !this.#isAttaching) this.#socket.resume()
    })
  }

  #checkToken(frame: Buffer, token: string): void {
    const wanted = Buffer.from(token)
    if (frame.length !== wanted.length || !timingSafeEqual(frame, wanted)) {
      this.#host.log.warn('ipc.token', 'a TCP connection did not show the token first and was closed')
      this.#socket.destroy()
      return
    }
    this.#token = undefined
    this.#splitter.limit = MAX_REQUEST_BYTES
  }

  #onOversized(): void {
    if (!this.#isStrict) {
      const error = new SwitchboardError('request_too_large', `A line is longer than ${MAX_REQUEST_BYTES} bytes`, {
        hint: 'Send less at once.',
      })
      this.#fail({ id: null }, error)
    }
    this.#socket.off('data', this.#onData)
    this.#socket.destroySoon()
  }

  #onFrame(text: string): void {
    let message: unknown
    try {
      message = parsePlainJson(text)
    } catch (error) {
      const isTooLarge = error instanceof JsonTooDeepError || error instanceof JsonTooManyPartsError
      const what = isTooLarge ? `A line cannot be read: ${error.message}` : 'A line is no JSON'
      if (this.#isStrict) this.#socket.destroy()
      else this.#fail({ id: null }, new SwitchboardError('invalid_request', what), JSON_RPC_ERROR.parse)
      return
    }
    const kind = classifyMessage(message)
    if (kind === 'notification' || kind === 'response') return
    if (kind === 'invalid' || !isJsonObject(message)) {
      if (this.#isStrict) this.#socket.destroy()
      else this.#fail({ id: null }, new SwitchboardError('invalid_request', 'A line is no JSON-RPC request'))
      return
    }
    this.#socket.setTimeout(0)
    // A request: both members were just looked at.
    this.#onRequest(message.id as RequestId, message.method as string, message)
  }

  #onRequest(id: RequestId, method: string, message: JsonObject): void {
    const { params = {}, trace_id, inst } = message
    const traceId = typeof trace_id === 'string' ? trace_id : undefined
    const asked = { id, traceId, begun: performance.now() }
    if (!isJsonObject(params)) {
      this.#fail(asked, createParamError(method, 'params', 'an object', params))
      return
    }
    const context: MethodContext = {
      signal: this.#gone.signal,
      progress: (progress) => this.#send(createNotification(PROGRESS_METHOD, { id, progress })),
      ...(traceId === undefined ? {} : { traceId }),
      ...(typeof inst === 'string' ? { inst } : {}),
    }
    this.#logRequest(method, context)
    if (method === 'attach') void this.#attach(asked, params)
    else if (method === 'subscribe') this.#subscribe(id)
    else void this.#run(asked, method, params, context)
  }

  async #run(asked: Asked, name: string, params: JsonObject, context: MethodContext): Promise<void> {
    const method = this.#host.methods.get(name)
    this.#pending++
    try {
      if (method === undefined) throw createUnknownMethod(name)
      // The answers are plain data, made by our own methods.
      const outcome = method(params, context)
      const result = (outcome instanceof Promise ? await outcome : outcome) as JsonObject
      this.#send(createSuccess(asked.id, result))
    } catch (thrown) {
      this.#fail(asked, toSwitchboardError(thrown))
    } finally {
      this.#pending--
    }
  }

  #subscribe(id: RequestId): void {
    this.#subscription ??= this.#host.subscribe((event) => this.#send(createNotification('event', { ...event })))
    this.#send(createSuccess(id, {}))
  }

  async #attach(asked: Asked, params: JsonObject): Promise<void> {
    if (this.#pending > 0 || this.#subscription !== undefined) {
      const what = this.#subscription === undefined ? 'waits for an answer' : 'is subscribed to events'
      const error = new SwitchboardError('invalid_request', `This connection ${what} and cannot be attached.`, {
        hint: 'Attach on a connection of its own.',
      })
      this.#fail(asked, error)
      return
    }
    this.#isAttaching = true
    this.#socket.pause()
    try {
      await this.#host.attach(params, this.#createLine(asked.id))
    } catch (thrown) {
      this.#isAttaching = false
      if (this.#isHandedOver) {
        this.#socket.destroy()
        return
      }
      this.#fail(asked, toSwitchboardError(thrown))
      this.#socket.resume()
      this.#read()
    }
  }

  #createLine(id: RequestId): AttachLine {
    const socket = this.#socket
    const isOpen = (): boolean => !socket.destroyed && socket.writable
    return {
      get isOpen() {
        return isOpen()
      },
      accept: (result) => {
        this.#send(createSuccess(id, result as JsonObject))
        this.#isHandedOver = true
        socket.off('data', this.#onData)
        const rest = this.#splitter.rest()
        if (rest.length > 0) socket.unshift(rest)
        return socket
      },
      drop: () => socket.destroy(),
    }
  }

  #send(message: JsonRpcMessage): void {
    const socket = this.#socket
    if (this.#isHandedOver || !socket.writable) return
    socket.write(`${encodeMessage(message)}\n`)
    if (socket.writableLength <= MAX_UNREAD_BYTES) return
    this.#host.log.warn('ipc.slow', `a connection that left ${socket.writableLength} bytes unread was closed`)
    socket.destroy()
  }

  #fail(asked: FailedRequest, error: SwitchboardError, code?: number): void {
    if (error.code === 'internal') {
      const { cause } = error
      const stack = cause instanceof Error ? cause.stack : error.stack
      this.#host.log.error('ipc.bug', error.message, { stack })
    }
    const rpc = toJsonRpcError(error, createErrorMeta(asked))
    this.#send(createFailure(asked.id, code === undefined ? rpc : { ...rpc, code }))
  }

  #logRequest(method: string, { traceId, inst }: MethodContext): void {
    const { log } = this.#host
    if (!log.isEnabled('debug')) return
    const fields = { ...(traceId === undefined ? {} : { traceId }), ...(inst === undefined ? {} : { inst }) }
    log.child(fields).debug('ipc.request', method)
  }
}

function createUnknownMethod(name: string): SwitchboardError {
  const nearest = nearestName(name, IPC_METHODS)
  const did = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return new SwitchboardError('unknown_method', `The daemon has no method "${name.slice(0, 100)}".${did}`, {
    hint: `It has: ${IPC_METHODS.join(', ')}.`,
  })
}
