import { errorMessage } from '@switchboard/base'
import { createErrorMeta, toJsonRpcError } from '../errors/envelope.ts'
import { SwitchboardError } from '../errors/switchboard-error.ts'
import { createFailure, createNotification, type JsonRpcMessage } from '../json-rpc.ts'
import { stringifyJson } from './parse-json.ts'

/**
 * A message as text. One that cannot be written (longer than a text may be, nested too deeply, a value that is no JSON) costs
 * itself only: an answer becomes an error for the one who waits for it, a notification says so in its place. A request has
 * somebody here who waits: it throws a SwitchboardError for them.
 */
export function encodeMessage(message: JsonRpcMessage): string {
  try {
    return JSON.stringify(message)
  } catch {
    return encodeSlowly(message)
  }
}

/** What cannot be written at once: it holds an integer that a number has not the digits for, or cannot be written at all. */
function encodeSlowly(message: JsonRpcMessage): string {
  try {
    return stringifyJson(message)
  } catch (thrown) {
    return stringifyJson(replace(message, thrown))
  }
}

function replace(message: JsonRpcMessage, thrown: unknown): JsonRpcMessage {
  const reason = `cannot be written as JSON: ${errorMessage(thrown)}`
  if (!('method' in message)) {
    const error = new SwitchboardError('bad_response', `The answer ${reason}`)
    return createFailure(message.id, toJsonRpcError(error, createErrorMeta(message)))
  }
  if ('id' in message) throw new SwitchboardError('invalid_request', `The request ${message.method} ${reason}`)
  const data = `A message (${message.method}) was left out: it ${reason}`
  return createNotification('notifications/message', { level: 'error', logger: 'switchboard', data })
}
