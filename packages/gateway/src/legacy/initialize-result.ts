import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Implementation } from '@switchboard/protocol/mcp'
import { TASKS_EXTENSION } from '@switchboard/protocol/modern'
import { declareCapabilities } from '../declared-capabilities.ts'
import type { View } from '../router/view.ts'

/** What a legacy client is told at its start: all but the tasks of the modern era, which it could not be given. */
export function createInitializeResult(view: View, version: string, serverInfo: Implementation): JsonObject {
  const capabilities = declareCapabilities(view)
  if (isJsonObject(capabilities.extensions)) {
    const { [TASKS_EXTENSION]: _tasks, ...extensions } = capabilities.extensions
    capabilities.extensions = extensions
  }
  return {
    protocolVersion: version,
    capabilities,
    serverInfo,
    ...(view.instructions === '' ? {} : { instructions: view.instructions }),
  }
}
