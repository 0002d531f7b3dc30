/** What the benchmark's servers answer, as text: one tool, `echo`, in either era. */
import { JSON_RPC_ERROR, LATEST_LEGACY_VERSION, LATEST_MODERN_VERSION } from '@switchboard/protocol'

export type ServerEra = 'legacy' | 'modern'

const SERVER_INFO = { name: 'echo', version: '1.0.0' }
const CAPABILITIES = { tools: {} }
const MODERN_MEMBERS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

const TOOLS = [
  {
    name: 'echo',
    description: 'Says what it is told.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
]

interface Request {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly arguments?: { readonly text?: string } }
}

/** Undefined: a notification, to which nothing is answered. */
export function answerEcho(line: string, era: ServerEra): string | undefined {
  // Only the benchmark's own clients talk to this server.
  const { id, method, params } = JSON.parse(line) as Request
  if (id === undefined) return undefined
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`
  if (method === 'tools/call') {
    const text = JSON.stringify(params?.arguments?.text ?? '')
    const tail = era === 'modern' ? ',"resultType":"complete"' : ''
    return `${head}"result":{"content":[{"type":"text","text":${text}}]${tail}}}`
  }
  const result = answerOther(method, era)
  if (result !== undefined) return `${head}"result":${JSON.stringify(result)}}`
  const error = { code: JSON_RPC_ERROR.methodNotFound, message: `Method not found: ${method}` }
  return `${head}"error":${JSON.stringify(error)}}`
}

function answerOther(method: string, era: ServerEra): object | undefined {
  if (method === 'tools/list') return era === 'modern' ? { tools: TOOLS, ...MODERN_MEMBERS } : { tools: TOOLS }
  if (era === 'legacy') {
    if (method === 'ping') return {}
    if (method !== 'initialize') return undefined
    return { protocolVersion: LATEST_LEGACY_VERSION, capabilities: CAPABILITIES, serverInfo: SERVER_INFO }
  }
  if (method !== 'server/discover') return undefined
  return { supportedVersions: [LATEST_MODERN_VERSION], capabilities: CAPABILITIES, ...MODERN_MEMBERS }
}
