/** The other end of the daemon's socket, for commands and tests. Imports nothing heavy. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Disposable, errorCode, errorMessage, Listeners, PendingRequests } from '@switchboard/base'
import { createRequest, isJsonObject, type JsonObject } from '@switchboard/protocol'
import { fromJsonRpcError, SwitchboardError } from '@switchboard/protocol/errors'
import { type AttachParams, type AttachResult, type IpcMethod, PROGRESS_METHOD } from '@switchboard/protocol/ipc'
import { throwOnForeignEndpoint } from './endpoint.ts'
import { FrameSplitter } from './frame-splitter.ts'
import type { DaemonEvent } from './ipc-results.ts'

/** A path: the socket or pipe. With a port: TCP on this machine. */
export type IpcAddress = string | { readonly port: number; readonly token: string }

export interface ConnectOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. Default: 5 000. */
  readonly timeout?: number
}

export interface IpcRequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. Default: 30 000. */
  readonly timeout?: number
  readonly traceId?: string
  readonly inst?: string
  /** Of a method that lasts: how far it is. */
  readonly onProgress?: (progress: JsonObject) => void
}

export interface AttachedStream {
  readonly result: AttachResult
  /** Every line is MCP. */
  readonly stream: Duplex
}

const CONNECT_MS = 5_000
const REQUEST_MS = 30_000
/** A list of tools of many servers is large. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024

/** Rejects with `daemon_unavailable` when nobody listens there. */
export async function connectIpc(address: IpcAddress, options: ConnectOptions = {}): Promise<IpcClient> {
  if (typeof address === 'string') await throwOnForeignEndpoint(address)
  const { signal, timeout = CONNECT_MS } = options
  const where = typeof address === 'string' ? { path: address } : { host: '127.0.0.1', port: address.port }
  const socket = connect({ ...where, noDelay: true })
  const patience = AbortSignal.timeout(timeout)
  try {
    await once(socket, 'connect', { signal: signal === undefined ? patience : AbortSignal.any([signal, patience]) })
  } catch (error) {
    socket.destroy()
    if (signal?.aborted === true) throw new SwitchboardError('cancelled', 'Connecting to the daemon was given up')
    throw createUnavailable(address, patience.aborted ? `no answer in ${timeout} ms` : describe(error), error)
  }
  if (typeof address !== 'string') socket.write(`${address.token}\n`)
  return new IpcClient(socket)
}

export class IpcClient {
  readonly #socket: Socket
  readonly #splitter = new FrameSplitter(MAX_ANSWER_BYTES)
  readonly #pending = new PendingRequests<JsonObject>({
    createTimeoutError: ({ method, options }) => createTimeout(method, options.timeout),
    createAbortError: ({ method }) => createCancelled(method),
  })
  readonly #listeners = new Listeners<[event: DaemonEvent]>()
  readonly #progress = new Map<number, (progress: JsonObject) => void>()
  readonly #closed = Promise.withResolvers<string>()
  readonly #onData = (chunk: Buffer): void => {
    this.#splitter.push(chunk)
    this.#read()
  }
  #nextId = 1
  #attachId: number | undefined
  #failure: string | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', this.#onData)
    socket.on('error', (error) => {
      this.#failure ??= describe(error)
    })
    socket.once('close', () => this.#onClose())
  }

  /** Why the connection is over. Never rejects. */
  get closed(): Promise<string> {
    return this.#closed.promise
  }

  /** Rejects with the daemon's own error, `timeout`, `cancelled`, or `daemon_unavailable` when it went away. */
  async request<T extends object = JsonObject>(
    method: IpcMethod,
    params: object = {},
    { signal, timeout = REQUEST_MS, traceId, inst, onProgress }: IpcRequestOptions = {},
  ): Promise<T> {
    if (signal?.aborted === true) throw createCancelled(method)
    const id = this.#nextId++
    const answer = this.#pending.add(id, method, { timeout, signal })
    this.#write({ ...createRequest(id, method, { ...params }), ...frameMembers(traceId, inst) })
    this.#pending.watch(id)
    if (onProgress !== undefined) this.#progress.set(id, onProgress)
    try {
      // The shape of each answer is that of `ipc-results.ts`; both sides are of one version, or `attach` refused.
      return (await answer) as T
    } finally {
      this.#progress.delete(id)
    }
  }

  /** From here on the daemon tells what happens; `onEvent` hears it. */
  async subscribe(): Promise<void> {
    await this.request('subscribe')
  }

  onEvent(listener: (event: DaemonEvent) => void): Disposable {
    return this.#listeners.add(listener)
  }

  /** The connection becomes an MCP line; this client is of no further use. */
  async attach(params: AttachParams, options: IpcRequestOptions = {}): Promise<AttachedStream> {
    this.#attachId = this.#nextId
    try {
      const result = await this.request<AttachResult>('attach', params, options)
      return { result, stream: this.#socket }
    } catch (error) {
      this.#attachId = undefined
      throw error
    }
  }

  close(): void {
    this.#failure ??= 'closed by this side'
    this.#socket.destroy()
  }

  #write(message: object): void {
    if (!this.#socket.writable) this.#failAll()
    else this.#socket.write(`${JSON.stringify(message)}\n`)
  }

  #read(): void {
    for (;;) {
      const frame = this.#splitter.next()
      if (frame === undefined) return
      if (frame === 'oversized') {
        this.#failure ??= `an answer is larger than ${MAX_ANSWER_BYTES} bytes`
        this.#socket.destroy()
        return
      }
      if (frame.length > 0) this.#onFrame(frame.toString())
      // What follows an `attach` that was accepted is not ours.
      if (!this.#socket.listeners('data').includes(this.#onData)) return
    }
  }

  #onFrame(text: string): void {
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch {
      return
    }
    if (!isJsonObject(message)) return
    const { id, method, params, result, error } = message
    if (method === 'event' && isJsonObject(params)) {
      // Written by our own daemon, see `ipc-results.ts`.
      this.#listeners.notify(params as unknown as DaemonEvent)
      return
    }
    if (method === PROGRESS_METHOD && isJsonObject(params)) {
      if (typeof params.id === 'number' && isJsonObject(params.progress))
        this.#progress.get(params.id)?.(params.progress)
      return
    }
    const pending = typeof id === 'number' ? this.#pending.take(id) : undefined
    if (!isJsonObject(result)) pending?.reject(fromJsonRpcError(error))
    else {
      if (id === this.#attachId) this.#handOver()
      pending?.resolve(result)
    }
  }

  #handOver(): void {
    this.#socket.off('data', this.#onData)
    this.#socket.pause()
    const rest = this.#splitter.rest()
    if (rest.length > 0) this.#socket.unshift(rest)
  }

  #onClose(): void {
    this.#failure ??= 'the daemon closed the connection'
    this.#failAll()
    this.#closed.resolve(this.#failure)
  }

  #failAll(): void {
    const reason = this.#failure ?? 'the connection is closed'
    this.#pending.failAll(
      () =>
        new SwitchboardError('daemon_unavailable', `The daemon did not answer: ${reason}.`, { executed: 'unknown' }),
    )
  }
}

function frameMembers(traceId: string | undefined, inst: string | undefined): { trace_id?: string; inst?: string } {
  return { ...(traceId === undefined ? {} : { trace_id: traceId }), ...(inst === undefined ? {} : { inst }) }
}

function createTimeout(method: string, timeout: number): SwitchboardError {
  return new SwitchboardError('timeout', `The daemon did not answer ${method} within ${timeout} ms`, {
    hint: 'Look at it with `switchboard doctor`; `switchboard logs --source daemon` shows what it does.',
  })
}

function createCancelled(method: string): SwitchboardError {
  return new SwitchboardError('cancelled', `${method} was given up`)
}

function createUnavailable(address: IpcAddress, reason: string, cause: unknown): SwitchboardError {
  const where = typeof address === 'string' ? address : `127.0.0.1:${address.port}`
  return new SwitchboardError('daemon_unavailable', `No daemon can be reached at ${where}: ${reason}.`, { cause })
}

function describe(error: unknown): string {
  return errorCode(error) ?? errorMessage(error)
}
