/** Text from outside into a value, or the JSON-RPC error that says why not. */
import { JSON_RPC_ERROR, type JsonRpcErrorObject, parseJson } from '@switchboard/protocol'
import { createBadMessageError } from './bad-message.ts'
import { exceedsDepth } from './json-depth.ts'

export type ParsedMessage =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonRpcErrorObject }

export function parseMessage(text: string, maxDepth: number): ParsedMessage {
  if (exceedsDepth(text, maxDepth)) {
    return fail(JSON_RPC_ERROR.invalidRequest, `The message is nested deeper than ${maxDepth} levels`, { maxDepth })
  }
  try {
    return { ok: true, value: parseJson(text) }
  } catch (error) {
    // The engine's message quotes the text, which may hold secrets; the position in it is all that helps.
    const position = /position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : ` at position ${position}`
    return fail(JSON_RPC_ERROR.parse, `Parse error: the message is not JSON${where}`)
  }
}

function fail(code: number, message: string, details: Record<string, unknown> = {}): ParsedMessage {
  return { ok: false, error: createBadMessageError({ code, message, details }) }
}
