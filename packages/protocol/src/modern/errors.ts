/** The JSON-RPC errors that only a modern server can answer with: to see one is to know the era. */
import { isJsonObject, type JsonRpcErrorObject } from '../json-rpc.ts'
import type { ClientCapabilities } from '../mcp.ts'

export const MODERN_ERROR = {
  /** A header says something else than the body. HTTP 400. */
  headerMismatch: -32020,
  /** `data.requiredCapabilities` names what the request's envelope lacks. */
  missingClientCapability: -32021,
  /** `data.supported` lists the versions to try. HTTP 400. */
  unsupportedProtocolVersion: -32022,
} as const

export type ModernErrorCode = (typeof MODERN_ERROR)[keyof typeof MODERN_ERROR]

const CODES: readonly unknown[] = Object.values(MODERN_ERROR)

export function isModernError(error: unknown): error is JsonRpcErrorObject & { code: ModernErrorCode } {
  return isJsonObject(error) && CODES.includes(error.code)
}

/** The versions a server offers in its refusal; empty when it names none. */
export function readSupportedVersions(error: unknown): string[] {
  if (!isJsonObject(error) || error.code !== MODERN_ERROR.unsupportedProtocolVersion) return []
  const supported = isJsonObject(error.data) ? error.data.supported : undefined
  return Array.isArray(supported) ? supported.filter((version) => typeof version === 'string') : []
}

export function createUnsupportedVersionError(requested: string, supported: readonly string[]): JsonRpcErrorObject {
  return {
    code: MODERN_ERROR.unsupportedProtocolVersion,
    message: `Protocol version ${requested} is not supported; use one of ${supported.join(', ')}`,
    data: { supported: [...supported], requested },
  }
}

export function createMissingCapabilityError(requiredCapabilities: ClientCapabilities): JsonRpcErrorObject {
  return {
    code: MODERN_ERROR.missingClientCapability,
    message: `The request does not declare a capability it needs: ${Object.keys(requiredCapabilities).join(', ')}`,
    data: { requiredCapabilities },
  }
}
