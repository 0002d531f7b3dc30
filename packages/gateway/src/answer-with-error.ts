import { createFailure, type JsonObject, type JsonRpcFailure, type RequestId } from '@switchboard/protocol'
import { createErrorMeta, type FailedRequest, SwitchboardError, toJsonRpcError } from '@switchboard/protocol/errors'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import type { View } from './router/view.ts'
import { toolOf } from './tool-of.ts'

/** What is answered, as far as it is known: a request that was judged, an id, or nothing. */
export interface Asked {
  /** Null: it is not known which request it is. */
  readonly id: RequestId | null
  readonly method?: string
  readonly params?: JsonObject
  readonly traceId?: string
  readonly begun?: number
}

export interface AnswerOptions {
  /** Of JSON-RPC, where the mistake is one that has a code of its own there. */
  readonly code?: number | undefined
  /** What its caller sees; without it nobody can say whose tool it is. */
  readonly view?: View | undefined
}

/** Of what a client sent, in what it gets back. */
const MAX_QUOTED = 100

/** As it stands in a message. */
export function quoteId(id: RequestId): string {
  return typeof id === 'string' ? JSON.stringify(id) : String(id)
}

/** The one way in which an error becomes an answer: with the envelope of all errors. */
export function answerWithError(
  error: SwitchboardError,
  asked: Asked,
  { code, view }: AnswerOptions = {},
): JsonRpcFailure {
  const rpc = toJsonRpcError(error, createErrorMeta(describeAsked(asked, view)))
  return createFailure(asked.id, code === undefined ? rpc : { ...rpc, code })
}

/** For what a client should not have sent. */
export function answerBadMessage(message: string, asked: Asked, options?: AnswerOptions): JsonRpcFailure {
  return answerWithError(new SwitchboardError('invalid_request', message), asked, options)
}

/** Nothing new is taken. `executed`: known only of what was refused before it began. */
export function createStoppingError(options: { executed?: false } = {}): SwitchboardError {
  return new SwitchboardError('shutting_down', 'Switchboard is stopping', options)
}

/** With the tool that it calls, under its one name. */
function describeAsked(asked: Asked, view: View | undefined): FailedRequest {
  const given = toolOf(asked)
  if (given === undefined) return asked
  const found = view?.findTool(given)
  if (typeof found === 'object') return { ...asked, tool: found.tool.name, provider: found.provider.name }
  const tool = given.slice(0, MAX_QUOTED)
  return view === undefined ? { ...asked, tool } : { ...asked, tool, provider: OWN_PROVIDER }
}
