/** What a parameter may be, in words, from its JSON Schema: `an integer, at least 1`. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { readPointer, valueAt } from './json-pointer.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

export function describeType(type: unknown): string {
  if (Array.isArray(type)) return type.map(describeType).join(' or ')
  return typeof type === 'string' ? (TYPES[type] ?? type) : 'any value'
}

/** Undefined: the schema says nothing that there are words for. `most`: how many choices are listed; default: all. */
export function describeSchema(schema: JsonObject | undefined, most?: number): string | undefined {
  if (schema === undefined) return undefined
  if (Array.isArray(schema.enum)) return listChoices(schema.enum, most)
  const { type, items, additionalProperties: members } = schema
  const each = type === 'array' && isJsonObject(items) ? describeSchema(items, most) : undefined
  if (each !== undefined) return [`an array, each ${each}`, ...describeBounds(schema)].join(', ')
  const value = type === 'object' && isJsonObject(members) ? describeSchema(members, most) : undefined
  if (value !== undefined) return `an object, each value ${value}`
  const known = typeOf(schema)
  const words = [...(known === undefined ? [] : [describeType(known)]), ...describeBounds(schema)]
  return words.length === 0 ? undefined : words.join(', ')
}

/** `one of "a", "b"` */
export function listChoices(values: readonly unknown[], most = values.length): string {
  const shown = values.slice(0, most).map((value) => JSON.stringify(value))
  return `one of ${[...shown, ...(values.length > most ? ['…'] : [])].join(', ')}`
}

/** Servers write the alternatives in several ways. */
function typeOf({ type, anyOf, oneOf, const: only }: JsonObject): unknown {
  if (type !== undefined) return type
  if (only !== undefined) return JSON.stringify(only)
  const types = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject).map(typeOf) : []))
  return types.length === 0 || types.includes(undefined) ? undefined : [...new Set(types.flat())]
}

function describeBounds(schema: JsonObject): string[] {
  const bounds: string[] = []
  const add = (key: string, describe: (value: unknown) => string): void => {
    if (schema[key] !== undefined) bounds.push(describe(schema[key]))
  }
  add('minimum', (value) => `at least ${value}`)
  add('maximum', (value) => `at most ${value}`)
  add('minLength', (value) => (value === 1 ? 'not empty' : `at least ${value} characters`))
  add('maxLength', (value) => `at most ${value} characters`)
  add('minItems', (value) => `at least ${value} of them`)
  add('maxItems', (value) => `at most ${value} of them`)
  add('pattern', (value) => `matching ${String(value).slice(0, 200)}`)
  return bounds
}

/** The schema of the value at these steps; follows `properties`, `items`, maps, and references inside the schema. */
export function findSchema(schema: JsonObject, steps: readonly string[]): JsonObject | undefined {
  let here: unknown = followReferences(schema, schema)
  for (const step of steps) {
    if (!isJsonObject(here)) return undefined
    const { properties, items, additionalProperties }: JsonObject = here
    const own = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
    here = followReferences(own ?? items ?? additionalProperties, schema)
  }
  return isJsonObject(here) ? here : undefined
}

/** More than this in a row lead in circles. */
const MAX_REFERENCES = 10

function followReferences(schema: unknown, root: JsonObject): unknown {
  let here = schema
  for (let count = 0; isJsonObject(here) && typeof here.$ref === 'string'; count++) {
    if (count === MAX_REFERENCES || !here.$ref.startsWith('#/')) return undefined
    here = valueAt(root, readPointer(here.$ref.slice(1)))
  }
  return here
}
