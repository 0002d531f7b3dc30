import { type Implementation, isJsonObject, type JsonObject, TASKS_EXTENSION } from '@switchboard/protocol'
import type { View } from '../router/view.ts'

/**
 * What a legacy client is told at its start. Servers come and go while it is connected, so the gateway declares what it can
 * serve, not what happens to be up; extensions and experimental features are those of the servers behind it, but for the
 * tasks of the modern era, which a legacy client could not be given.
 */
export function createInitializeResult(view: View, version: string, serverInfo: Implementation): JsonObject {
  const merged = view.capabilities()
  const capabilities: JsonObject = {
    ...merged,
    tools: { ...asObject(merged.tools), listChanged: true },
    resources: { ...asObject(merged.resources), subscribe: true, listChanged: true },
    prompts: { ...asObject(merged.prompts), listChanged: true },
    completions: asObject(merged.completions),
    logging: asObject(merged.logging),
  }
  if (isJsonObject(merged.extensions)) {
    const { [TASKS_EXTENSION]: _tasks, ...extensions } = merged.extensions
    capabilities.extensions = extensions
  }
  return {
    protocolVersion: version,
    capabilities,
    serverInfo,
    ...(view.instructions === '' ? {} : { instructions: view.instructions }),
  }
}

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
