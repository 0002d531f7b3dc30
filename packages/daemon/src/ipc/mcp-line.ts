/**
 * One MCP conversation with the daemon, as a client of the legacy era, on a connection that is attached already: it calls a
 * tool, answers what the server asks, and leaves. It owns the connection and nothing else.
 *
 * 1. Every request settles exactly once: by its answer, its budget, its signal or the end of the connection.
 * 2. A request that nobody waits for any more is cancelled on the other side.
 * 3. The budget stands still while a person is asked.
 */
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { PendingRequests, type RequestLimits, within } from '@switchboard/base'
import {
  type AskRequests,
  type AskResponses,
  classifyMessage,
  createFailure,
  createNotification,
  createRequest,
  createSuccess,
  isJsonObject,
  type JsonObject,
  type JsonRpcMessage,
  type JsonRpcRequest,
  LATEST_LEGACY_VERSION,
  type LogEntry,
  type Progress,
  type RequestId,
} from '@switchboard/protocol'
import { fromJsonRpcError, SwitchboardError, toJsonRpcError, toSwitchboardError } from '@switchboard/protocol/errors'
import { LineReader, LineWriter, recoverId } from '@switchboard/protocol/framing'
import { createInitializeParams } from '@switchboard/protocol/legacy'
import type { ClientCapabilities, Implementation } from '@switchboard/protocol/mcp'

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

/** What is kept of a request while it waits. */
interface PendingOptions extends RequestLimits {
  readonly onProgress: ((progress: Progress) => void) | undefined
}

export class McpLine {
  readonly #options: McpLineOptions
  readonly #stream: Duplex
  readonly #writer: LineWriter
  readonly #pending = new PendingRequests<JsonObject, PendingOptions>({
    createTimeoutError: ({ method, options: { timeout } }) =>
      createGivenUpError(method, new SwitchboardError('timeout', `No answer to ${method} within ${timeout} ms`)),
    createAbortError: ({ method }) =>
      createGivenUpError(method, new SwitchboardError('cancelled', 'The call was cancelled')),
    onAbandoned: ({ id, method }, { message }) => {
      if (method !== 'tools/call') return
      this.#send(createNotification('notifications/cancelled', { requestId: id, reason: message }))
    },
  })
  #nextId = 1
  #closed = false

  private constructor(stream: Duplex, options: McpLineOptions) {
    this.#options = options
    this.#stream = stream
    this.#writer = new LineWriter((text) => void this.#stream.write(text))
    const reader = new LineReader(MAX_LINE_BYTES, {
      onLine: (line) => this.#onLine(line.toString()),
      onOversized: ({ bytes, head, tail }) => this.#onOversized(bytes, recoverId(head, tail) ?? undefined),
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
    const answer = this.#pending.add(id, method, { timeout: timeout ?? Number.POSITIVE_INFINITY, signal, onProgress })
    this.#send(createRequest(id, method, sent))
    this.#pending.watch(id)
    return answer
  }

  /** What was said last still leaves, a cancellation above all. */
  async close(): Promise<void> {
    if (this.#stream.destroyed) return
    this.#closed = true
    const left = once(this.#stream, 'close').catch(() => undefined)
    this.#stream.end()
    await within(left, FAREWELL_MS)
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
    const { id } = message
    const pending = typeof id === 'number' ? this.#pending.take(id) : undefined
    if (isJsonObject(message.result)) pending?.resolve(message.result)
    else pending?.reject(fromJsonRpcError(message.error))
  }

  #onNotification(method: string, params: JsonObject): void {
    const { progressToken: token, ...rest } = params
    if (method === 'notifications/progress' && typeof token === 'number') {
      // The daemon passes on only progress that has its shape.
      this.#pending.get(token)?.options.onProgress?.(rest as unknown as Progress)
    }
    if (method === 'notifications/message') this.#options.onLog?.(params as unknown as LogEntry)
  }

  async #onQuestion({ id, method, params }: JsonRpcRequest): Promise<void> {
    if (method === 'ping') return this.#send(createSuccess(id, {}))
    const waiting = this.#pending.all()
    for (const { id: waitingId } of waiting) this.#pending.pauseBudget(waitingId)
    try {
      const { answer = {} } = await this.#options.ask({
        answer: { method, ...(params === undefined ? {} : { params }) },
      })
      this.#send(createSuccess(id, answer))
    } catch (thrown) {
      this.#send(createFailure(id, toJsonRpcError(toSwitchboardError(thrown))))
    } finally {
      for (const { id: waitingId } of waiting) this.#pending.resumeBudget(waitingId)
    }
  }

  #onOversized(bytes: number, id: RequestId | undefined): void {
    const error = new SwitchboardError('message_too_large', `The answer was too large to accept (${bytes} bytes)`)
    if (id !== undefined) this.#pending.take(id)?.reject(error)
  }

  #end(why: string): void {
    this.#closed = true
    this.#stream.destroy()
    this.#pending.failAll(({ method }) => createLostError(method, why))
  }
}

function createGivenUpError(method: string, error: SwitchboardError): SwitchboardError {
  if (method === 'tools/call') return error
  // Nothing was called yet. A daemon that does not answer for itself cannot be used.
  const code = error.code === 'timeout' ? 'daemon_unavailable' : error.code
  return new SwitchboardError(code, `The daemon: ${error.message}`, { executed: false, cause: error })
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
