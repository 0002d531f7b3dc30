import type { JsonObject } from '@switchboard/protocol'
import { withDefinitions } from './schema-references.ts'
import type { Definitions } from './tool-declaration.ts'

/**
 * Of the whole envelope. Clients check failures against it as well, and a result that was cut has no `data`: so only `ok`
 * is required, and `error` is left open.
 */
export function createOutputSchema(data: JsonObject, definitions: Definitions = {}): JsonObject {
  return withDefinitions(
    { type: 'object', properties: { ok: { type: 'boolean' }, data }, required: ['ok'] },
    definitions,
  )
}
