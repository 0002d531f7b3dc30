/** What a parameter may be, in words, from its JSON Schema: `an integer, at least 1`. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

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

export function describeSchema(schema: JsonObject | undefined): string {
  if (schema === undefined) return 'any value'
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`
  if (schema.type === 'array' && isJsonObject(schema.items)) {
    return [`an array, each ${describeSchema(schema.items)}`, ...describeBounds(schema)].join(', ')
  }
  if (schema.type === 'object' && isJsonObject(schema.additionalProperties)) {
    return `an object, each value ${describeSchema(schema.additionalProperties)}`
  }
  return [describeType(typeOf(schema)), ...describeBounds(schema)].join(', ')
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
  add('pattern', (value) => `matching ${value}`)
  return bounds
}

/** The schema at a JSON pointer into a value, or of one property of it; follows `properties`, `items` and maps. */
export function findSchema(schema: JsonObject, pointer: string, property?: string): JsonObject | undefined {
  const steps = pointer === '' ? [] : pointer.slice(1).split('/')
  if (property !== undefined) steps.push(property)
  let here: unknown = schema
  for (const step of steps) {
    if (!isJsonObject(here)) return undefined
    const { properties, items, additionalProperties }: JsonObject = here
    const own = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
    here = own ?? items ?? additionalProperties
  }
  return isJsonObject(here) ? here : undefined
}
