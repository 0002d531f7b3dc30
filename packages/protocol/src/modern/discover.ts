/** `server/discover`: what a modern server says about itself. Its identity is in the result's `_meta`. */
import { isJsonObject, type JsonObject } from '../json-rpc.ts'
import type { Implementation, ServerCapabilities } from '../mcp.ts'
import { META_KEY } from './meta-keys.ts'
import { isImplementation, type RequestEnvelopeMeta, withRequestEnvelope } from './request-envelope.ts'
import type { CacheableResult } from './results.ts'

export const DISCOVER_METHOD = 'server/discover'

export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[]
  capabilities: ServerCapabilities
  instructions?: string
}

export function createDiscoverParams(envelope: RequestEnvelopeMeta): JsonObject {
  return withRequestEnvelope(undefined, envelope)
}

export function isDiscoverResult(value: unknown): value is DiscoverResult {
  return (
    isJsonObject(value) &&
    Array.isArray(value.supportedVersions) &&
    value.supportedVersions.every((version) => typeof version === 'string') &&
    isJsonObject(value.capabilities) &&
    (value.instructions === undefined || typeof value.instructions === 'string')
  )
}

/** Modern servers SHOULD name themselves on every result; undefined where one does not. */
export function readServerInfo(result: unknown): Implementation | undefined {
  if (!isJsonObject(result) || !isJsonObject(result._meta)) return undefined
  const info = result._meta[META_KEY.serverInfo]
  return isImplementation(info) ? info : undefined
}
