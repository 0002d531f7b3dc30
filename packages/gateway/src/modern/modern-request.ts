import {
  isJsonObject,
  isModernVersion,
  JSON_RPC_ERROR,
  type JsonObject,
  type JsonRpcFailure,
  MODERN_VERSIONS,
} from '@switchboard/protocol'
import {
  createUnsupportedVersionError,
  type RequestEnvelope,
  type RequestEnvelopeReading,
} from '@switchboard/protocol/modern'
import { type Asked, answerBadMessage } from '../answer-with-error.ts'
import type { Identity } from '../identity.ts'
import type { IncomingRequest } from '../incoming.ts'
import type { View } from '../router/view.ts'

/** A request of the modern era, judged by the transport that it came by: its envelope was read there, and is not read again. */
export interface ModernRequest extends IncomingRequest {
  readonly envelope: RequestEnvelope
  readonly identity: Identity
  /** Where the transport had to look at a tool: what it saw, and found. */
  readonly view?: View | undefined
  readonly target?: ReturnType<View['findTool']> | undefined
}

/** The envelope, if it is one of a version that we speak; else the answer that says why not. */
export function checkEnvelope(reading: RequestEnvelopeReading, asked: Asked): RequestEnvelope | JsonRpcFailure {
  if (!reading.ok) return answerBadEnvelope(reading.reason, asked)
  const { envelope } = reading
  return isModernVersion(envelope.version) ? envelope : answerUnsupportedVersion(envelope.version, asked)
}

export function answerBadEnvelope(reason: string, asked: Asked): JsonRpcFailure {
  return answerBadMessage(`Invalid _meta: ${reason}`, asked, { code: JSON_RPC_ERROR.invalidParams })
}

/** Its data is what the protocol wants of this error, beside our envelope. */
export function answerUnsupportedVersion(version: string, asked: Asked): JsonRpcFailure {
  const { code, message, data } = createUnsupportedVersionError(version, MODERN_VERSIONS)
  const answer = answerBadMessage(message, asked, { code })
  return { ...answer, error: { ...answer.error, data: { ...asObject(answer.error.data), ...asObject(data) } } }
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
