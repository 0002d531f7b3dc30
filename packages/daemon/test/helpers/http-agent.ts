/** Agents that speak raw HTTP, in either era: what they get is exactly what was sent to them. */
import { Agent as ConnectionPool, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { isJsonObject, type JsonObject, META_KEY } from '@switchboard/protocol'

export type Era = 'legacy' | 'modern'
export const ERAS: readonly Era[] = ['legacy', 'modern']

export interface Exchange {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The one JSON body, or every message of the event stream in its order. */
  readonly messages: JsonObject[]
  readonly text: string
}

export interface PostOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as it is. */
  readonly body?: unknown
  readonly pool?: ConnectionPool
  readonly signal?: AbortSignal
  /** Called with every message as it comes. */
  readonly onMessage?: (message: JsonObject) => void
  /** Called with every event of a stream, be it a message or not. */
  readonly onEvent?: (event: string, data: string) => void
}

export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

export async function exchange(url: string, options: PostOptions = {}): Promise<Exchange> {
  const { method = 'POST', headers = JSON_HEADERS, body, pool, signal, onMessage, onEvent } = options
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { ...headers },
      agent: pool ?? false,
      ...(signal === undefined ? {} : { signal }),
    })
    outgoing.on('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(text)
  })
  const isStream = response.headers['content-type'] === 'text/event-stream'
  const messages: JsonObject[] = []
  const take = (data: string): void => {
    const message: unknown = JSON.parse(data)
    if (!isJsonObject(message)) return
    messages.push(message)
    onMessage?.(message)
  }
  let whole = ''
  let rest = ''
  for await (const chunk of response.setEncoding('utf8')) {
    whole += chunk
    if (!isStream) continue
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1]
      if (data === undefined) continue
      const event = /^event: (.+)$/m.exec(block)?.[1] ?? 'message'
      onEvent?.(event, data)
      if (event === 'message') take(data)
    }
  }
  if (!isStream && response.headers['content-type'] === 'application/json') take(whole)
  return { status: response.statusCode ?? 0, headers: response.headers, messages, text: whole }
}

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
}

/** One agent: a session of the legacy era, or requests of the modern one. */
export interface HttpAgent {
  readonly era: Era
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Answer>
  call(tool: string, args?: JsonObject, options?: RequestOptions & { progressToken?: string }): Promise<Answer>
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
}

export async function connectAgent(era: Era, url: string, options: AgentOptions = {}): Promise<HttpAgent> {
  const agent = era === 'legacy' ? new LegacyAgent(url, options) : new ModernAgent(url, options)
  await agent.open()
  return agent
}

abstract class BaseAgent implements HttpAgent {
  abstract readonly era: Era
  protected readonly url: string
  protected readonly options: AgentOptions
  protected readonly pool = new ConnectionPool({ keepAlive: true })
  protected headers: Record<string, string>
  #nextId = 1

  constructor(url: string, options: AgentOptions) {
    this.url = url
    this.options = options
    this.headers = { ...JSON_HEADERS, ...options.headers }
  }

  abstract open(): Promise<void>
  abstract cancel(id: string): Promise<void>
  protected abstract prepare(
    method: string,
    params: JsonObject,
  ): { headers: Record<string, string>; params: JsonObject }

  async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<Answer> {
    const { id = this.#nextId++, signal, onMessage } = options
    const prepared = this.prepare(method, params)
    const { status, headers, messages, text } = await exchange(this.url, {
      headers: prepared.headers,
      body: { jsonrpc: '2.0', id, method, params: prepared.params },
      pool: this.pool,
      ...(signal === undefined ? {} : { signal }),
      ...(onMessage === undefined ? {} : { onMessage }),
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

  call(
    tool: string,
    args: JsonObject = {},
    options: RequestOptions & { progressToken?: string } = {},
  ): Promise<Answer> {
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

  async open(): Promise<void> {
    const { capabilities = {}, name = 'raw' } = this.options
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name, version: '1' } }
    const opened = await this.request('initialize', params)
    const session = opened.headers['mcp-session-id']
    if (typeof session !== 'string') throw new Error(`No session: ${JSON.stringify(opened.message)}`)
    this.headers = { ...this.headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
    await this.#notify('notifications/initialized')
  }

  async cancel(id: string): Promise<void> {
    await this.#notify('notifications/cancelled', { requestId: id })
  }

  override async close(): Promise<void> {
    await exchange(this.url, { method: 'DELETE', headers: this.headers, pool: this.pool })
    await super.close()
  }

  protected prepare(_method: string, params: JsonObject) {
    return { headers: this.headers, params }
  }

  async #notify(method: string, params: JsonObject = {}): Promise<void> {
    await exchange(this.url, { headers: this.headers, body: { jsonrpc: '2.0', method, params }, pool: this.pool })
  }
}

class ModernAgent extends BaseAgent {
  readonly era = 'modern'
  readonly #open = new Map<string, AbortController>()

  async open(): Promise<void> {}

  override async request(method: string, params: JsonObject = {}, options: RequestOptions = {}): Promise<Answer> {
    if (typeof options.id !== 'string') return super.request(method, params, options)
    const controller = new AbortController()
    this.#open.set(options.id, controller)
    return super.request(method, params, { ...options, signal: controller.signal })
  }

  async cancel(id: string): Promise<void> {
    this.#open.get(id)?.abort()
  }

  protected prepare(method: string, params: JsonObject) {
    const { capabilities = {}, name = 'raw' } = this.options
    const given = isJsonObject(params._meta) ? params._meta : {}
    const _meta = {
      ...given,
      [META_KEY.protocolVersion]: '2026-07-28',
      [META_KEY.clientCapabilities]: capabilities,
      [META_KEY.clientInfo]: { name, version: '1' },
    }
    const named = method === 'resources/read' ? params.uri : params.name
    const headers = {
      ...this.headers,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
    }
    return { headers, params: { ...params, _meta } }
  }
}

/** The text of the first content block of a tool's result. */
export function textOf(answer: Answer): string {
  const { content } = answer.result
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return isJsonObject(first) ? String(first.text) : ''
}

/** The envelope of a failure inside a tool's result. */
export function failureOf(answer: Answer): JsonObject {
  const { structuredContent } = answer.result
  const error = isJsonObject(structuredContent) ? structuredContent.error : undefined
  if (isJsonObject(error)) return error
  throw new Error(`The result is no failure: ${JSON.stringify(answer.result).slice(0, 300)}`)
}
