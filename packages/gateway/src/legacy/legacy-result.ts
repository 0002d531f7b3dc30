import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { META_KEY } from '@switchboard/protocol/modern'

/** A modern server's result for a legacy client: without the members that only the modern era knows. */
export function toLegacyResult(method: string, result: JsonObject): JsonObject {
  if (result.resultType === undefined) return result
  const { resultType: _type, ...rest } = result
  if (method === 'resources/read') {
    delete rest.ttlMs
    delete rest.cacheScope
  }
  const meta = rest._meta
  if (isJsonObject(meta) && meta[META_KEY.serverInfo] !== undefined) {
    const { [META_KEY.serverInfo]: _info, ...kept } = meta
    if (Object.keys(kept).length === 0) delete rest._meta
    else rest._meta = kept
  }
  return rest
}
