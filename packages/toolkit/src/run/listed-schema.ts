/**
 * The input schema as agents get it listed. Every agent pays for each character of the list, so it leaves out what no model
 * needs to be told before it is wrong: that a text is not empty, and that an object inside has no other members. Calls are
 * checked against the whole schema.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export function listSchema(input: JsonObject): JsonObject {
  return {
    ...shorten(input),
    ...('additionalProperties' in input ? { additionalProperties: input.additionalProperties } : {}),
  }
}

function shorten(schema: JsonObject): JsonObject {
  const shown: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'minLength' && value === 1) continue
    if (key === 'additionalProperties' && value === false) continue
    if (key === 'properties' && isJsonObject(value)) shown[key] = shortenEach(value)
    else if ((key === 'items' || key === 'additionalProperties') && isJsonObject(value)) shown[key] = shorten(value)
    else shown[key] = value
  }
  return shown
}

function shortenEach(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isJsonObject(schema) ? shorten(schema) : schema]),
  )
}
