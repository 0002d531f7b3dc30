/** Plain fetch against the fixture; event streams are read as they come. */
import type { Message } from './raw-client.ts'
import { MODERN_META } from './raw-client.ts'

const ACCEPT = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

export function post(url: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) {
  const init = { method: 'POST', headers: { ...ACCEPT, ...headers }, body: JSON.stringify(body) }
  return fetch(url, signal === undefined ? init : { ...init, signal })
}

/** A modern request with the headers that belong to it. */
export function postModern(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const name = params.name ?? params.uri
  const standard: Record<string, string> = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method }
  if (name !== undefined) standard['Mcp-Name'] = String(name)
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: MODERN_META } }
  return post(url, body, { ...standard, ...headers }, signal)
}

/** The data of the events of a stream, one by one, each read as JSON. */
export async function* readEvents(response: Response): AsyncGenerator<Message> {
  for await (const { data } of readRawEvents(response)) yield JSON.parse(data)
}

export async function* readRawEvents(response: Response): AsyncGenerator<{ event: string; data: string }> {
  if (response.body === null) return
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
          .join('\n')
      yield { event: field('event'), data: field('data') }
    }
  }
}

export async function allEvents(response: Response): Promise<Message[]> {
  const events: Message[] = []
  for await (const event of readEvents(response)) events.push(event)
  return events
}

/** Shakes hands and returns the headers of the session. */
export async function openSession(url: string, capabilities: object = {}): Promise<Record<string, string>> {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'raw', version: '0' } }
  const response = await post(url, { jsonrpc: '2.0', id: 'init', method: 'initialize', params })
  await response.text()
  const id = response.headers.get('mcp-session-id')
  return id === null ? {} : { 'Mcp-Session-Id': id }
}

export function call(name: string, args: object = {}, id: string | number = 1, meta?: object) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...(meta && { _meta: meta }) } }
}
