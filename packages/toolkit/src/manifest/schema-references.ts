/** References of the JSON Schemas of `data` to the definitions of their pack: `{$ref: "#/$defs/Snapshot"}`. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Definitions } from './tool-declaration.ts'

export interface SchemaReference {
  /** Where in the schema it stands, without the key `$ref`. */
  readonly path: readonly (string | number)[]
  /** As it is written. */
  readonly text: string
  /** Of the definition; undefined: it refers to something else. */
  readonly name: string | undefined
}

export function listReferences(schema: unknown, path: readonly (string | number)[] = []): SchemaReference[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => listReferences(item, [...path, index]))
  if (!isJsonObject(schema)) return []
  const { $ref } = schema
  const own = typeof $ref === 'string' ? [{ path, text: $ref, name: readReference($ref) }] : []
  return [...own, ...Object.entries(schema).flatMap(([key, member]) => listReferences(member, [...path, key]))]
}

export function readReference(text: string): string | undefined {
  return /^#\/\$defs\/([A-Za-z0-9]+)$/.exec(text)?.[1]
}

/** With the definitions that it needs, also those that they need themselves. */
export function withDefinitions(schema: JsonObject, definitions: Definitions): JsonObject {
  const needed: Record<string, JsonObject> = {}
  const collect = (from: unknown): void => {
    for (const { name } of listReferences(from)) {
      const definition = name === undefined || Object.hasOwn(needed, name) ? undefined : definitions[name]
      if (name === undefined || definition === undefined) continue
      needed[name] = definition
      collect(definition)
    }
  }
  collect(schema)
  return Object.keys(needed).length === 0 ? schema : { ...schema, $defs: needed }
}
