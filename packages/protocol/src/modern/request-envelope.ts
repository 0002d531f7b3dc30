/** What every modern request carries in `_meta` in place of a handshake: version, capabilities, who asks, log level. */
import { isJsonObject, type JsonObject } from '../json-rpc.ts'
import { type ClientCapabilities, type Implementation, LOGGING_LEVELS, type LoggingLevel } from '../mcp.ts'
import { META_KEY } from './meta-keys.ts'

export interface RequestEnvelope {
  readonly version: string
  readonly capabilities: ClientCapabilities
  /** SHOULD be there; a request without it is valid. */
  readonly clientInfo?: Implementation
  /** Absent: the server must not send log messages for this request. */
  readonly logLevel?: LoggingLevel
}

/** The envelope as members of `_meta`: made once, merged into many requests. */
export type RequestEnvelopeMeta = Readonly<JsonObject>

export type RequestEnvelopeReading =
  | { readonly ok: true; readonly envelope: RequestEnvelope }
  /** `present`: some of it is there, so the request means to be modern and is wrong; else it is a legacy one. */
  | { readonly ok: false; readonly present: boolean; readonly reason: string }

export function createRequestEnvelope(envelope: RequestEnvelope): RequestEnvelopeMeta {
  const meta: JsonObject = {
    [META_KEY.protocolVersion]: envelope.version,
    [META_KEY.clientCapabilities]: envelope.capabilities,
  }
  if (envelope.clientInfo !== undefined) meta[META_KEY.clientInfo] = envelope.clientInfo
  if (envelope.logLevel !== undefined) meta[META_KEY.logLevel] = envelope.logLevel
  return Object.freeze(meta)
}

/** Copies only the two outer objects: arguments and other members stay the same references. */
export function withRequestEnvelope(
  params: Readonly<JsonObject> | undefined,
  envelope: RequestEnvelopeMeta,
): JsonObject {
  const meta = params?._meta
  return { ...params, _meta: isJsonObject(meta) ? { ...meta, ...envelope } : envelope }
}

/** Of every request of the legacy era: made once. */
const ABSENT: RequestEnvelopeReading = {
  ok: false,
  present: false,
  reason: `_meta holds neither ${META_KEY.protocolVersion} nor ${META_KEY.clientCapabilities}`,
}

export function readRequestEnvelope(params: unknown): RequestEnvelopeReading {
  if (!isJsonObject(params) || !isJsonObject(params._meta)) return ABSENT
  const meta = params._meta
  const version = meta[META_KEY.protocolVersion]
  const capabilities = meta[META_KEY.clientCapabilities]
  const clientInfo = meta[META_KEY.clientInfo]
  const logLevel = meta[META_KEY.logLevel]
  if (version === undefined && capabilities === undefined) return ABSENT
  const refuse = (reason: string): RequestEnvelopeReading => ({ ok: false, present: true, reason })

  if (typeof version !== 'string' || version === '') return refuse(`${META_KEY.protocolVersion} is not a version`)
  if (!isJsonObject(capabilities)) return refuse(`${META_KEY.clientCapabilities} is not an object`)
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    return refuse(`${META_KEY.clientInfo} is not an object with name and version`)
  }
  if (logLevel !== undefined && !isLoggingLevel(logLevel)) {
    return refuse(`${META_KEY.logLevel} is not one of ${LOGGING_LEVELS.join(', ')}`)
  }
  return {
    ok: true,
    envelope: {
      version,
      capabilities,
      ...(clientInfo === undefined ? {} : { clientInfo }),
      ...(logLevel === undefined ? {} : { logLevel }),
    },
  }
}

export function isImplementation(value: unknown): value is Implementation {
  return isJsonObject(value) && typeof value.name === 'string' && typeof value.version === 'string'
}

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (LOGGING_LEVELS as readonly unknown[]).includes(value)
}
