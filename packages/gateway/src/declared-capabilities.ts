import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { View } from './router/view.ts'

/**
 * What the gateway declares to clients of either era. Servers come and go while one is connected, so it is what can be served,
 * not what happens to be up; extensions and experimental features are those of the servers behind it.
 */
export function declareCapabilities(view: View): JsonObject {
  const merged = view.capabilities()
  return {
    ...merged,
    tools: { ...asObject(merged.tools), listChanged: true },
    resources: { ...asObject(merged.resources), subscribe: true, listChanged: true },
    prompts: { ...asObject(merged.prompts), listChanged: true },
    completions: asObject(merged.completions),
    logging: asObject(merged.logging),
  }
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
