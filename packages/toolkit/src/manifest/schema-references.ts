/** References of the JSON Schemas of `data` to the definitions of their pack: `{$ref: "#/$defs/Snapshot"}`. */
import type { JsonObject } from '@switchboard/protocol'
import type { Definitions } from './tool-declaration.ts'

export interface SchemaReference {
  /** Where in the schema it stands, without the key `$ref`. */
  readonly path: readonly (string | number)[]
  /** As it is written. */
  readonly text: string
  /** Of the definition; undefined: it refers to something else. */
  readonly name: string | undefined
}

export function listReferences(schema: unknown): SchemaReference[] {
  const found: SchemaReference[] = []
  // One path for the whole way down: packs walk all their schemas when a daemon starts.
  const path: (string | number)[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const isList = Array.isArray(value)
    if (!isList && '$ref' in value && typeof value.$ref === 'string') {
      found.push({ path: [...path], text: value.$ref, name: readReference(value.$ref) })
    }
    for (const [key, member] of Object.entries(value)) {
      path.push(isList ? Number(key) : key)
      visit(member)
      path.pop()
    }
  }
  visit(schema)
  return found
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
