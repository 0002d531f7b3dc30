/**
 * One MCP conversation with the daemon, as a client of the legacy era, on a connection that is attached already: it calls a
 * tool, answers what the server asks, and leaves. It owns the connection and nothing else.
 *
 * 1. Every request settles exactly once: by its answer, its budget, its signal or the end of the connection.
 * 2. A request that nobody waits for any more is cancelled on the other side.
 * 3. The budget stands still while a person is asked.
 */
import type { Duplex } from 'node:stream'
import {
  type AskRequests,
  type AskResponses,
  type ClientCapabilities,
  classifyMessage,
  createFailure,
  createInitializeParams,
  createNotification,
  createRequest,
  createSuccess,
  fromJsonRpcError,
  type Implementation,
  isJsonObject,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  LATEST_LEGACY_VERSION,
  LineReader,
  LineWriter,
  type LogEntry,
  type Progress,
  type RequestId,
  recoverId,
  SwitchboardError,
  toJsonRpcError,
  toSwitchboardError,
} from '@switchboard/protocol'
import { Budget } from './budget.ts'

const MAX_LINE_BYTES = 64 * 1024 * 1024
/** For what the daemon answers itself. */
const OWN_ANSWER_MS = 10_000
/** How long the last words may take to leave. */
const FAREWELL_MS = 2_000

export interface McpLineOptions {
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  readonly ask: (requests: AskRequests) => Promise<AskResponses>
  /** Left out: log messages are not wanted. */
  readonly onLog?: (entry: LogEntry) => void
}

export interface LineRequestOptions {
  readonly signal?: AbortSignal
  /** Milliseconds. Default: the other side's own budget. */
  readonly timeout?: number
  readonly onProgress?: (progress: Progress) => void
}

interface Pending {
  readonly method: string
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly budget: Budget | undefined
  resolve(result: JsonObject): void
  reject(error: SwitchboardError): void
}

export class McpLine {
  readonly #options: McpLineOptions
  readonly #stream: Duplex
  readonly #writer: LineWriter
  readonly #pending = new Map<RequestId, Pending>()
  #nextId = 1
  #closed = false

  private constructor(stream: Duplex, options: McpLineOptions) {
    this.#options = options
    this.#stream = stream
    this.#writer = new LineWriter((text) => void this.#stream.write(text))
    const reader = new LineReader(MAX_LINE_BYTES, {
      onLine: (line) => this.#onLine(line.toString()),
      onOversized: ({ bytes, head, tail }) => this.#onOversized(bytes, recoverId(head, tail)),
    })
    this.#stream.on('data', (chunk: Buffer) => reader.push(chunk))
    this.#stream.on('error', (error) => this.#end(error.message))
    for (const over of ['end', 'close']) this.#stream.on(over, () => this.#end('the connection was closed'))
    // It comes paused, so that nothing is lost before somebody reads.
    this.#stream.resume()
  }

  /** Rejects with what the daemon says against it, or `daemon_unavailable`. */
  static async open(stream: Duplex, options: McpLineOptions, signal: AbortSignal): Promise<McpLine> {
    const line = new McpLine(stream, options)
    try {
      const own = { signal, timeout: OWN_ANSWER_MS }
      const { clientInfo, capabilities, onLog } = options
      const hello = createInitializeParams({ version: LATEST_LEGACY_VERSION, capabilities, clientInfo })
      await line.request('initialize', hello, own)
      line.#send(createNotification('notifications/initialized'))
      if (onLog !== undefined) await line.request('logging/setLevel', { level: 'debug' }, own)
      return line
    } catch (error) {
      line.#closed = true
      line.#stream.destroy()
      throw error
    }
  }

  request(method: string, params: JsonObject, options: LineRequestOptions = {}): Promise<JsonObject> {
    const { signal, timeout, onProgress } = options
    if (this.#closed) return Promise.reject(createLostError(method, 'it is gone'))
    if (signal?.aborted) {
      return Promise.reject(new SwitchboardError('cancelled', 'Cancelled before it was sent', { executed: false }))
    }
    const id = this.#nextId++
    const sent = onProgress === undefined ? params : { ...params, _meta: { progressToken: id } }
    const answer = new Promise<JsonObject>((resolve, reject) => {
      const budget =
        timeout === undefined
          ? undefined
          : new Budget(timeout, () => {
              const message = `No answer to ${method} within ${timeout} ms`
              this.#giveUp(id, new SwitchboardError('timeout', message))
            })
      this.#pending.set(id, { method, onProgress, budget, resolve, reject })
    })
    const onAbort = (): void => this.#giveUp(id, new SwitchboardError('cancelled', 'The call was cancelled'))
    signal?.addEventListener('abort', onAbort)
    this.#send(createRequest(id, method, sent))
    return answer.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  /** What was said last still leaves, a cancellation above all. */
  async close(): Promise<void> {
    if (this.#stream.destroyed) return
    this.#closed = true
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, FAREWELL_MS)
    this.#stream.once('close', () => resolve())
    this.#stream.end()
    await promise
    clearTimeout(timer)
    this.#stream.destroy()
  }

  #send(message: JsonRpcMessage): void {
    if (this.#stream.writable) this.#writer.write(JSON.stringify(message))
  }

  #onLine(text: string): void {
    const message = parseLine(text)
    const kind = classifyMessage(message)
    if (!isJsonObject(message) || kind === 'invalid') this.#end('it sent a line that is no message')
    else if (kind === 'response') this.#onResponse(message)
    // classifyMessage has told a request by its members.
    else if (kind === 'request') void this.#onQuestion(message as unknown as JsonRpcRequest)
    else this.#onNotification(String(message.method), isJsonObject(message.params) ? message.params : {})
  }

  #onResponse(message: JsonObject): void {
    const pending = this.#take(message.id)
    if (isJsonObject(message.result)) pending?.resolve(message.result)
    else pending?.reject(fromJsonRpcError(message.error))
  }

  #onNotification(method: string, params: JsonObject): void {
    const { progressToken: token, ...rest } = params
    if (method === 'notifications/progress' && typeof token === 'number') {
      // The daemon passes on only progress that has its shape.
      this.#pending.get(token)?.onProgress?.(rest as unknown as Progress)
    }
    if (method === 'notifications/message') this.#options.onLog?.(params as unknown as LogEntry)
  }

  async #onQuestion({ id, method, params }: JsonRpcRequest): Promise<void> {
    if (method === 'ping') return this.#send(createSuccess(id, {}))
    for (const { budget } of this.#pending.values()) budget?.pause()
    try {
      const { answer = {} } = await this.#options.ask({
        answer: { method, ...(params === undefined ? {} : { params }) },
      })
      this.#send(createSuccess(id, answer))
    } catch (thrown) {
      this.#send(createFailure(id, toJsonRpcError(toSwitchboardError(thrown))))
    } finally {
      for (const { budget } of this.#pending.values()) budget?.resume()
    }
  }

  #onOversized(bytes: number, id: RequestId | undefined): void {
    const error = new SwitchboardError('message_too_large', `The answer was too large to accept (${bytes} bytes)`)
    if (id !== undefined) this.#take(id)?.reject(error)
  }

  #giveUp(id: RequestId, error: SwitchboardError): void {
    const pending = this.#take(id)
    if (pending === undefined) return
    if (pending.method === 'tools/call') {
      this.#send(createNotification('notifications/cancelled', { requestId: id, reason: error.message }))
      pending.reject(error)
      return
    }
    // Nothing was called yet. A daemon that does not answer for itself cannot be used.
    const code = error.code === 'timeout' ? 'daemon_unavailable' : error.code
    pending.reject(new SwitchboardError(code, `The daemon: ${error.message}`, { executed: false, cause: error }))
  }

  #take(id: unknown): Pending | undefined {
    if (typeof id !== 'number' && typeof id !== 'string') return undefined
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    pending?.budget?.clear()
    return pending
  }

  #end(why: string): void {
    this.#closed = true
    this.#stream.destroy()
    for (const [id, { method }] of this.#pending) this.#take(id)?.reject(createLostError(method, why))
  }
}

/** A tool may have run; everything else has not changed anything. */
function createLostError(method: string, why: string): SwitchboardError {
  const message = `The daemon ended during ${method}: ${why}`
  if (method !== 'tools/call') return new SwitchboardError('daemon_unavailable', message)
  return new SwitchboardError('daemon_restarted', message, {
    hint: 'Check whether the work was done, then repeat the call; switchboard status shows whether a daemon runs.',
  })
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
