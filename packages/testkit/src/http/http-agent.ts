/** Agents that speak raw HTTP, in either era: what they get is exactly what was sent to them. */
import { Agent as ConnectionPool, type IncomingHttpHeaders } from 'node:http'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { exchange } from './exchange.ts'
import { createCall, JSON_HEADERS, LEGACY_VERSION, modern } from './messages.ts'

export type Era = 'legacy' | 'modern'
export const ERAS: readonly Era[] = ['legacy', 'modern']

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The response: a result or an error. */
  readonly message: JsonObject
  /** Everything that came before it on its stream. */
  readonly before: readonly JsonObject[]
  readonly result: JsonObject
  readonly error: JsonObject
}

export interface RequestOptions {
  readonly id?: string | number
  readonly signal?: AbortSignal
  readonly onMessage?: (message: JsonObject) => void
  /** The result of what a server asks on the way. Without it a question of the legacy era fails the request. */
  readonly answer?: (question: JsonObject) => JsonObject
}

export interface CallOptions extends RequestOptions {
  readonly progressToken?: string
}

/** One agent: a session of the legacy era, or requests of the modern one. */
export interface HttpAgent {
  readonly era: Era
  /** The result of `initialize`, or of `server/discover`, which is asked for now. */
  welcome(): Promise<JsonObject>
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Answer>
  call(tool: string, args?: JsonObject, options?: CallOptions): Promise<Answer>
  toolNames(): Promise<string[]>
  /** Says that an answer is no longer wanted, the way its era says it: by a message, or by hanging up. */
  cancel(id: string): Promise<void>
  /** Ends the session in good order. */
  close(): Promise<void>
}

export interface AgentOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly capabilities?: JsonObject
  readonly name?: string
  /** What a legacy agent asks to speak. */
  readonly version?: string
}

export async function connectAgent(era: Era, url: string, options: AgentOptions = {}): Promise<HttpAgent> {
  const agent = era === 'legacy' ? new LegacyAgent(url, options) : new ModernAgent(url, options)
  await agent.open()
  return agent
}

/** Opens a legacy session and returns the headers of everything later. */
export async function openSession(url: string, options: AgentOptions = {}): Promise<Record<string, string>> {
  const { version = LEGACY_VERSION, capabilities = {}, name = 'raw', headers } = options
  const params = { protocolVersion: version, capabilities, clientInfo: { name, version: '1' } }
  const all = { ...JSON_HEADERS, ...headers }
  const opened = await exchange(url, { headers: all, body: createCall(0, 'initialize', params) })
  const id = opened.headers['mcp-session-id']
  if (opened.status !== 200 || typeof id !== 'string') throw new Error(`${opened.status} ${opened.text}`)
  const session = { ...all, 'mcp-session-id': id }
  await exchange(url, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return session
}

abstract class BaseAgent implements HttpAgent {
  abstract readonly era: Era
  protected readonly url: string
  protected readonly options: AgentOptions
  protected readonly pool = new ConnectionPool({ keepAlive: true })
  #nextId = 1

  constructor(url: string, options: AgentOptions) {
    this.url = url
    this.options = options
  }

  abstract open(): Promise<void>
  abstract welcome(): Promise<JsonObject>
  abstract cancel(id: string): Promise<void>
  protected abstract prepare(message: JsonObject): { headers: Record<string, string>; body: JsonObject }
  /** Called with what is neither a response nor a notification. */
  protected abstract onQuestion(question: JsonObject, answer: RequestOptions['answer']): void

  async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<Answer> {
    const { id = this.#nextId++, signal, onMessage, answer } = options
    const { status, headers, messages, text } = await exchange(this.url, {
      ...this.prepare(createCall(id, method, params)),
      pool: this.pool,
      ...(signal === undefined ? {} : { signal }),
      onMessage: (message) => {
        onMessage?.(message)
        if (message.method !== undefined && message.id !== undefined) this.onQuestion(message, answer)
      },
    })
    const message = messages.at(-1)
    if (message === undefined) throw new Error(`${method} got no message: ${status} ${text.slice(0, 200)}`)
    const { result, error } = message
    return {
      status,
      headers,
      message,
      before: messages.slice(0, -1),
      get result() {
        if (isJsonObject(result)) return result
        throw new Error(`${method} was answered without a result: ${JSON.stringify(message)}`)
      },
      get error() {
        if (isJsonObject(error)) return error
        throw new Error(`${method} was answered without an error: ${JSON.stringify(message).slice(0, 500)}`)
      },
    }
  }

  call(tool: string, args: JsonObject = {}, options: CallOptions = {}): Promise<Answer> {
    const { progressToken, ...rest } = options
    const meta = progressToken === undefined ? {} : { _meta: { progressToken } }
    return this.request('tools/call', { name: tool, arguments: args, ...meta }, rest)
  }

  async toolNames(): Promise<string[]> {
    const { tools } = (await this.request('tools/list')).result
    return Array.isArray(tools) ? tools.map((tool) => String(isJsonObject(tool) ? tool.name : tool)) : []
  }

  async close(): Promise<void> {
    this.pool.destroy()
  }
}

class LegacyAgent extends BaseAgent {
  readonly era = 'legacy'
  #headers: Record<string, string> = { ...JSON_HEADERS, ...this.options.headers }
  #welcome: JsonObject = {}

  async open(): Promise<void> {
    const { capabilities = {}, name = 'raw', version = LEGACY_VERSION } = this.options
    const params = { protocolVersion: version, capabilities, clientInfo: { name, version: '1' } }
    const opened = await this.request('initialize', params)
    const session = opened.headers['mcp-session-id']
    if (typeof session !== 'string') throw new Error(`No session: ${JSON.stringify(opened.message)}`)
    this.#welcome = opened.result
    this.#headers = { ...this.#headers, 'mcp-session-id': session, 'mcp-protocol-version': version }
    await this.#send({ method: 'notifications/initialized', params: {} })
  }

  async welcome(): Promise<JsonObject> {
    return this.#welcome
  }

  async cancel(id: string): Promise<void> {
    await this.#send({ method: 'notifications/cancelled', params: { requestId: id } })
  }

  override async close(): Promise<void> {
    await exchange(this.url, { method: 'DELETE', headers: this.#headers, pool: this.pool })
    await super.close()
  }

  protected prepare(body: JsonObject) {
    return { headers: this.#headers, body }
  }

  protected onQuestion(question: JsonObject, answer: RequestOptions['answer']): void {
    if (answer === undefined) throw new Error(`Nobody expected the question ${String(question.method)}`)
    void this.#send({ id: question.id, result: answer(question) })
  }

  async #send(message: JsonObject): Promise<void> {
    await exchange(this.url, { headers: this.#headers, body: { jsonrpc: '2.0', ...message }, pool: this.pool })
  }
}

class ModernAgent extends BaseAgent {
  readonly era = 'modern'
  readonly #open = new Map<string, AbortController>()

  async open(): Promise<void> {}

  async welcome(): Promise<JsonObject> {
    return (await this.request('server/discover')).result
  }

  override async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<Answer> {
    const got = await super.request(method, params, this.#withHangUp(options))
    const { result } = got.message
    const asks = isJsonObject(result) && result.resultType === 'input_required' ? result : undefined
    const { answer } = options
    if (asks === undefined || answer === undefined || !isJsonObject(asks.inputRequests)) return got
    const answers = Object.entries(asks.inputRequests).map(([key, question]) => [
      key,
      answer(isJsonObject(question) ? question : {}),
    ])
    const inputResponses = Object.fromEntries(answers)
    return this.request(method, { ...params, inputResponses, requestState: asks.requestState }, options)
  }

  async cancel(id: string): Promise<void> {
    this.#open.get(id)?.abort()
  }

  protected prepare(message: JsonObject) {
    const { capabilities = {}, name = 'raw', headers = {} } = this.options
    return modern(message, { capabilities, clientInfo: { name, version: '1' }, headers })
  }

  protected onQuestion(question: JsonObject): void {
    throw new Error(`A question on a stream of the modern era: ${String(question.method)}`)
  }

  #withHangUp(options: RequestOptions): RequestOptions {
    if (typeof options.id !== 'string') return options
    const controller = new AbortController()
    this.#open.set(options.id, controller)
    return { ...options, signal: controller.signal }
  }
}

/** The envelope of a failure inside a tool's result. */
export function failureOf(answer: Answer): JsonObject {
  const { structuredContent } = answer.result
  const error = isJsonObject(structuredContent) ? structuredContent.error : undefined
  if (isJsonObject(error)) return error
  throw new Error(`The result is no failure: ${JSON.stringify(answer.result).slice(0, 300)}`)
}
