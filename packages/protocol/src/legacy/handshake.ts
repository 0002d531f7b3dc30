/** `initialize`: the one exchange in which a legacy connection settles version, capabilities and names. */
import { isJsonObject, type JsonObject } from '../json-rpc.ts'
import type { ClientCapabilities, Implementation, ServerCapabilities } from '../mcp.ts'
import { isLegacyVersion, LEGACY_VERSIONS, type LegacyVersion } from '../versions.ts'

export interface InitializeParams {
  protocolVersion: string
  capabilities: ClientCapabilities
  clientInfo: Implementation
  _meta?: JsonObject
  [key: string]: unknown
}

export interface InitializeResult {
  protocolVersion: LegacyVersion
  capabilities: ServerCapabilities
  serverInfo: Implementation
  /** Since 2024-11-05. */
  instructions?: string
  [key: string]: unknown
}

export type InitializeReading =
  | { readonly ok: true; readonly result: InitializeResult }
  | { readonly ok: false; readonly reason: string }

export type InitializeParamsReading =
  | { readonly ok: true; readonly params: InitializeParams }
  | { readonly ok: false; readonly reason: string }

export function createInitializeParams(options: {
  readonly version: string
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation
}): JsonObject & InitializeParams {
  return {
    protocolVersion: options.version,
    capabilities: options.capabilities,
    clientInfo: options.clientInfo,
  }
}

/**
 * Strict about the version, since everything later hangs on it; forgiving about what some servers leave out:
 * no capabilities are none, and a server without a name is called `unknown`.
 */
export function readInitializeResult(value: unknown): InitializeReading {
  if (!isJsonObject(value)) return refuse(`the result of initialize is ${nameOf(value)}, not an object`)
  const { protocolVersion, capabilities, serverInfo, instructions } = value
  if (!isLegacyVersion(protocolVersion)) {
    return refuse(
      `protocolVersion is ${JSON.stringify(protocolVersion) ?? 'missing'}, not one of ${LEGACY_VERSIONS.join(', ')}`,
    )
  }
  if (capabilities !== undefined && !isJsonObject(capabilities)) {
    return refuse(`capabilities is ${nameOf(capabilities)}, not an object`)
  }
  if (serverInfo !== undefined && !isJsonObject(serverInfo)) {
    return refuse(`serverInfo is ${nameOf(serverInfo)}, not an object`)
  }
  const { instructions: _checked, ...rest } = value
  return {
    ok: true,
    result: {
      ...rest,
      protocolVersion,
      capabilities: capabilities ?? {},
      serverInfo: completeImplementation(serverInfo),
      ...(typeof instructions === 'string' ? { instructions } : {}),
    },
  }
}

/** For the side that is initialized: the version may be one we do not know; the answer then names one that we do. */
export function readInitializeParams(value: unknown): InitializeParamsReading {
  if (!isJsonObject(value)) return refuse(`the parameters of initialize are ${nameOf(value)}, not an object`)
  const { protocolVersion, capabilities, clientInfo } = value
  if (typeof protocolVersion !== 'string') return refuse(`protocolVersion is ${nameOf(protocolVersion)}, not a string`)
  if (capabilities !== undefined && !isJsonObject(capabilities)) {
    return refuse(`capabilities is ${nameOf(capabilities)}, not an object`)
  }
  if (clientInfo !== undefined && !isJsonObject(clientInfo)) {
    return refuse(`clientInfo is ${nameOf(clientInfo)}, not an object`)
  }
  return {
    ok: true,
    params: {
      ...value,
      protocolVersion,
      capabilities: capabilities ?? {},
      clientInfo: completeImplementation(clientInfo),
    },
  }
}

function completeImplementation(info: JsonObject | undefined): Implementation {
  const name = typeof info?.name === 'string' ? info.name : 'unknown'
  const version = typeof info?.version === 'string' ? info.version : 'unknown'
  return { ...info, name, version }
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

function nameOf(value: unknown): string {
  if (value === undefined) return 'missing'
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
