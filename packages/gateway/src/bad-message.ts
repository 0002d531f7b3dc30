import { createErrorEnvelope, type JsonRpcErrorObject, type RequestId, SwitchboardError } from '@switchboard/protocol'

export interface BadMessage {
  readonly code: number
  readonly message: string
  readonly id?: RequestId | null | undefined
  readonly details?: Record<string, unknown>
}

/** The error for what a client should not have sent: with the JSON-RPC code of its kind, and the envelope of all errors. */
export function createBadMessageError({ code, message, id, details = {} }: BadMessage): JsonRpcErrorObject {
  const error = new SwitchboardError('invalid_request', message, { details })
  return { code, message, data: createErrorEnvelope(error, id === undefined || id === null ? {} : { requestId: id }) }
}
