import type { JsonObject } from '@switchboard/protocol'

/**
 * Of the whole envelope. Clients check failures against it as well, and a result that was cut has no `data`: so only `ok`
 * is required, and `error` is left open.
 */
export function createOutputSchema(data: JsonObject): JsonObject {
  return { type: 'object', properties: { ok: { type: 'boolean' }, data }, required: ['ok'] }
}
