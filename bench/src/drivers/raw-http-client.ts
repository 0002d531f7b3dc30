/** MCP over Streamable HTTP with node:http and nothing else: keep-alive connections, JSON, an answer as body or as event. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { LATEST_LEGACY_VERSION, LATEST_MODERN_VERSION } from '@switchboard/protocol'
import { createModernHeaders, createRequestEnvelope } from '@switchboard/protocol/modern'

export type Era = 'legacy' | 'modern'

export interface RawHttpOptions {
  readonly era?: Era
  /** Default: connections of its own. */
  readonly agent?: Agent
  /** Of the stream, which keeps its connection. Default: the same. */
  readonly streamAgent?: Agent
}

interface RawAnswer {
  readonly result?: unknown
  readonly error?: unknown
}

const CLIENT_INFO = { name: 'raw', version: '1.0.0' }
const META = createRequestEnvelope({ version: LATEST_MODERN_VERSION, capabilities: {}, clientInfo: CLIENT_INFO })

export class RawHttpClient {
  readonly #url: URL
  readonly #era: Era
  readonly #agent: Agent
  readonly #streamAgent: Agent
  readonly #headers: Record<string, string>
  #nextId = 1

  constructor(url: string, { era = 'legacy', agent, streamAgent }: RawHttpOptions = {}) {
    this.#url = new URL(url)
    this.#era = era
    this.#agent = agent ?? new Agent({ keepAlive: true })
    this.#streamAgent = streamAgent ?? this.#agent
    this.#headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  }

  /** The modern era has no handshake. */
  async initialize(): Promise<void> {
    if (this.#era === 'modern') return
    const params = { protocolVersion: LATEST_LEGACY_VERSION, capabilities: {}, clientInfo: CLIENT_INFO }
    const { headers } = await this.#post({ id: this.#nextId++, method: 'initialize', params }, this.#headers)
    const session = headers['mcp-session-id']
    if (session !== undefined) this.#headers['mcp-session-id'] = String(session)
    this.#headers['mcp-protocol-version'] = LATEST_LEGACY_VERSION
    await this.#post({ method: 'notifications/initialized' }, this.#headers)
  }

  async request(method: string, params: Record<string, unknown>): Promise<unknown> {
    const isModern = this.#era === 'modern'
    const sent = isModern ? { ...params, _meta: META } : params
    const headers = isModern
      ? { ...this.#headers, ...createModernHeaders({ method, params, version: LATEST_MODERN_VERSION }) }
      : this.#headers
    const { body } = await this.#post({ id: this.#nextId++, method, params: sent }, headers)
    // Only servers that the benchmark started are at the other end.
    const { result, error } = JSON.parse(body) as RawAnswer
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`)
    return result
  }

  /** The stream of what belongs to no request. Resolves once it is open; it ends with its connection. */
  async listen(): Promise<IncomingMessage> {
    const headers = { ...this.#headers, accept: 'text/event-stream' }
    return await new Promise((resolve, reject) => {
      const outgoing = request(this.#url, { method: 'GET', headers, agent: this.#streamAgent })
      outgoing.once('response', (response) => {
        response.resume().on('error', () => {})
        if (response.statusCode === 200) resolve(response)
        else reject(new Error(`GET was answered with ${response.statusCode}.`))
      })
      outgoing.once('error', reject)
      outgoing.end()
    })
  }

  close(): void {
    this.#agent.destroy()
  }

  #post(
    message: object,
    headers: Record<string, string>,
  ): Promise<{ headers: IncomingMessage['headers']; body: string }> {
    const sent = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, {
        method: 'POST',
        headers: { ...headers, 'content-length': sent.length },
        agent: this.#agent,
      })
      outgoing.once('error', reject)
      outgoing.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.once('error', reject)
        response.once('end', () => {
          const { statusCode = 0, headers: received } = response
          if (statusCode >= 300) reject(new Error(`POST was answered with ${statusCode}: ${text.slice(0, 200)}`))
          else resolve({ headers: received, body: readBody(text, received['content-type']) })
        })
      })
      outgoing.end(sent)
    })
  }
}

/** The last event holds the answer; what comes before is for resuming. */
function readBody(text: string, type: string | undefined): string {
  if (type?.startsWith('text/event-stream') !== true) return text
  const at = text.lastIndexOf('\ndata: ')
  const start = at >= 0 ? at + 7 : text.indexOf('data: ') + 6
  const end = text.indexOf('\n', start)
  return end < 0 ? text.slice(start) : text.slice(start, end)
}
