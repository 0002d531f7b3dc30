/** Requests as no library would send them, and event streams read as they come. One connection each. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type JsonObject, META_KEY } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'

export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: unknown
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON; for an event stream its messages. */
  readonly json: JsonObject
}

export interface SseEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

export interface RawStream {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly events: SseEvent[]
  readonly comments: string[]
  ended: boolean
  /** The messages of the events so far, without those that are empty. */
  messages(): JsonObject[]
  waitForMessage(predicate: (message: JsonObject) => boolean): Promise<JsonObject>
  /** Reads no more. */
  pause(): void
  /** Cuts the connection. */
  destroy(): void
}

export const JSON_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

function start(url: string, { method = 'POST', headers = {}, body }: RawRequest): Promise<IncomingMessage> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: { ...headers }, agent: false }, resolve)
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

export async function send(url: string, raw: RawRequest): Promise<RawResponse> {
  const response = await start(url, raw)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text) as JsonObject
    },
  }
}

export async function openStream(url: string, raw: RawRequest): Promise<RawStream> {
  const response = await start(url, raw)
  const events: SseEvent[] = []
  const comments: string[] = []
  let rest = ''
  const stream: RawStream = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments,
    ended: false,
    messages: () => events.filter(({ data }) => data.startsWith('{')).map(({ data }) => JSON.parse(data) as JsonObject),
    waitForMessage: (predicate) => waitFor(() => stream.messages().find(predicate)),
    pause: () => void response.pause(),
    destroy: () => response.destroy(),
  }
  response.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) comments.push(block.slice(2))
      else events.push(readEvent(block))
    }
  })
  response.on('error', () => {})
  response.on('close', () => {
    stream.ended = true
  })
  return stream
}

function readEvent(block: string): SseEvent {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  return { id: fields.get('id'), event: fields.get('event'), data: fields.get('data') ?? '' }
}

/** Opens a legacy session and returns the headers of everything later. */
export async function initialize(
  url: string,
  version = '2025-11-25',
  headers: Readonly<Record<string, string>> = {},
  capabilities: JsonObject = {},
): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities, clientInfo: { name: 'raw', version: '1' } }
  const all = { ...JSON_HEADERS, ...headers }
  const opened = await send(url, { headers: all, body: createCall(0, 'initialize', params) })
  const id = opened.headers['mcp-session-id']
  if (opened.status !== 200 || typeof id !== 'string') throw new Error(`${opened.status} ${opened.text}`)
  const session = { ...all, 'mcp-session-id': id }
  await send(url, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return session
}

export function createCall(id: string | number, method: string, params?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
}

export function callTool(id: string | number, name: string, args: JsonObject = {}, meta?: JsonObject): JsonObject {
  return createCall(id, 'tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) })
}

export const MODERN_VERSION = '2026-07-28'

/** A modern request: the body with its envelope, and the headers that repeat it. */
export function modern(
  body: JsonObject,
  options: { version?: string; capabilities?: JsonObject; headers?: Readonly<Record<string, string>> } = {},
): Required<Pick<RawRequest, 'headers' | 'body'>> {
  const { version = MODERN_VERSION, capabilities = {}, headers = {} } = options
  const params = (body.params ?? {}) as JsonObject
  const meta = {
    [META_KEY.protocolVersion]: version,
    [META_KEY.clientCapabilities]: capabilities,
    ...(params._meta as JsonObject | undefined),
  }
  const name = body.method === 'resources/read' ? params.uri : params.name
  return {
    headers: {
      ...JSON_HEADERS,
      'mcp-protocol-version': version,
      'mcp-method': String(body.method),
      ...(name === undefined ? {} : { 'mcp-name': String(name) }),
      ...headers,
    },
    body: { ...body, params: { ...params, _meta: meta } },
  }
}
