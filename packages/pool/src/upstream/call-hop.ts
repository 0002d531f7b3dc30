/** The spans of a call at a server: how long it waited, and each request that was made of it. */
import type { Call, JsonObject } from '@switchboard/protocol'
import { readUpstreamRpcError, SwitchboardError } from '@switchboard/protocol/errors'
import type { CallSpan } from '@switchboard/protocol/tracing'
import type { ServerConfig } from '../config/server-config.ts'

export interface HopOptions {
  readonly method: string
  readonly params: JsonObject
  readonly round: number
  readonly sentAt: number
}

export function openHop(
  span: CallSpan,
  { times }: Call,
  config: ServerConfig,
  { method, params, round, sentAt }: HopOptions,
): CallSpan {
  const queuedAt = round === 0 ? times?.queuedAt : undefined
  if (queuedAt !== undefined) span.open({ name: 'wait', kind: 'internal', begun: queuedAt }).end(sentAt)
  const target = method === 'tools/call' || method === 'prompts/get' ? textOf(params.name) : undefined
  return span.open({
    name: target === undefined ? method : `${method} ${target}`,
    kind: 'client',
    begun: sentAt,
    attributes: {
      'mcp.method.name': method,
      'switchboard.provider': config.name,
      'gen_ai.operation.name': method === 'tools/call' ? 'execute_tool' : undefined,
      'gen_ai.tool.name': method === 'tools/call' ? target : undefined,
      'gen_ai.prompt.name': method === 'prompts/get' ? target : undefined,
      'mcp.resource.uri': method.startsWith('resources/') ? textOf(params.uri) : undefined,
      ...addressOf(config),
    },
  })
}

export function endHop(
  hop: CallSpan | undefined,
  at: number,
  outcome: JsonObject | { readonly thrown: unknown },
): void {
  if (hop === undefined) return
  if ('thrown' in outcome) failHop(hop, outcome.thrown)
  else if ('isError' in outcome && outcome.isError === true) hop.fail('tool_error', '')
  hop.end(at)
}

function failHop(hop: CallSpan, thrown: unknown): void {
  if (!(thrown instanceof SwitchboardError)) hop.fail('internal', '')
  else hop.fail(thrown.code, thrown.message, readRpcCode(thrown))
}

/** As the server said it. */
function readRpcCode(error: SwitchboardError): number | undefined {
  const rpc = readUpstreamRpcError(error)
  return typeof rpc?.code === 'number' ? rpc.code : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Host and port only: the rest of an address may hold secrets. */
function addressOf(config: ServerConfig): { 'server.address'?: string; 'server.port'?: number } {
  const text = 'url' in config ? config.url : undefined
  if (typeof text !== 'string' || !URL.canParse(text)) return {}
  const { hostname, port, protocol } = new URL(text)
  const isSecure = protocol === 'https:' || protocol === 'wss:'
  return { 'server.address': hostname, 'server.port': port === '' ? (isSecure ? 443 : 80) : Number(port) }
}
