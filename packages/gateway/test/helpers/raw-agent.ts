/**
 * Agents of both eras that look at nothing and change nothing: what they send is what the test wrote, what they return
 * is what came over the wire. The clients of the SDKs drop what they do not know.
 */
export type Json = Record<string, unknown>

export interface RawAgent {
  /** The result of `initialize` or `server/discover`. */
  readonly welcome: Json
  /** The whole response; questions on the way are answered by `answer`. */
  request(method: string, params?: Json, answer?: (question: Json) => Json): Promise<Json>
}

const CAPABILITIES = {
  sampling: {},
  elicitation: { form: {} },
  roots: {},
  extensions: { 'vendor.example/agent': { on: true }, 'io.modelcontextprotocol/tasks': {} },
}
const CLIENT_INFO = { name: 'raw', version: '1' }
const ACCEPT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export function connectRawAgent(era: 'legacy' | 'modern', url: string): Promise<RawAgent> {
  return era === 'legacy' ? connectLegacy(url) : connectModern(url)
}

async function connectLegacy(url: string): Promise<RawAgent> {
  let nextId = 1
  let headers: Record<string, string> = ACCEPT
  const post = (message: Json) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  const request: RawAgent['request'] = async (method, params, answer) => {
    const id = nextId++
    const response = await post({ id, method, ...(params === undefined ? {} : { params }) })
    const session = response.headers.get('mcp-session-id')
    if (method === 'initialize' && session !== null) headers = { ...ACCEPT, 'mcp-session-id': session }
    for await (const message of readMessages(response)) {
      if (message.id === id && message.method === undefined) return message
      if (message.method === undefined || message.id === undefined) continue
      if (answer === undefined) throw new Error(`Nobody expected the question ${String(message.method)}`)
      await (await post({ id: message.id, result: answer(message) })).body?.cancel()
    }
    throw new Error(`${method} was not answered (HTTP ${response.status})`)
  }
  const hello = { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, clientInfo: CLIENT_INFO }
  const { result } = await request('initialize', hello)
  await (await post({ method: 'notifications/initialized' })).body?.cancel()
  return { welcome: result as Json, request }
}

async function connectModern(url: string): Promise<RawAgent> {
  let nextId = 1
  const request: RawAgent['request'] = async (method, params = {}, answer) => {
    const id = nextId++
    const _meta = {
      ...(params._meta as Json | undefined),
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
      'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    }
    const name = params.name ?? params.uri
    const headers = {
      ...ACCEPT,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })
    const response = await fetch(url, { method: 'POST', headers, body })
    let last: Json | undefined
    for await (const message of readMessages(response)) last = message
    const result = last?.result as Json | undefined
    if (last === undefined) throw new Error(`${method} was not answered (HTTP ${response.status})`)
    if (result?.resultType !== 'input_required' || answer === undefined) return last
    const questions = Object.entries(result.inputRequests as Record<string, Json>)
    const inputResponses = Object.fromEntries(questions.map(([key, question]) => [key, answer(question)]))
    return request(method, { ...params, inputResponses, requestState: result.requestState }, answer)
  }
  const { result } = await request('server/discover')
  return { welcome: result as Json, request }
}

async function* readMessages(response: Response): AsyncGenerator<Json> {
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    yield (await response.json()) as Json
    return
  }
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
      if (data.join('') !== '') yield JSON.parse(data.join('\n')) as Json
    }
  }
}
