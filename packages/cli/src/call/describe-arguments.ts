/** A tool's input schema as far as a command line needs it: names, types, what must be given. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export interface DescribedArgument {
  readonly name: string
  /** `string`, `integer`, `red | green`, `string[]` */
  readonly type: string
  readonly required: boolean
  readonly description: string
}

export function describeArguments(schema: JsonObject): DescribedArgument[] {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    type: describeType(property),
    required: required.includes(name),
    description: typeof property.description === 'string' ? property.description : '',
  }))
}

export function propertiesOf(schema: JsonObject): Record<string, JsonObject> {
  if (!isJsonObject(schema.properties)) return {}
  const entries = Object.entries(schema.properties)
  return Object.fromEntries(entries.map(([name, value]) => [name, isJsonObject(value) ? value : {}]))
}

/** The types that a value may have; none: anything goes. */
export function typesOf(schema: JsonObject): string[] {
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type.map(String)
  const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (branches.length > 0) return [...new Set(branches.filter(isJsonObject).flatMap(typesOf))]
  const [first] = Array.isArray(schema.enum) ? schema.enum : [schema.const]
  return first === undefined ? [] : [first === null ? 'null' : typeof first]
}

function describeType(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const types = typesOf(schema)
  if (types.length === 1 && types[0] === 'array') {
    return `${isJsonObject(schema.items) ? describeType(schema.items) : 'any'}[]`
  }
  return types.length === 0 ? 'any' : types.join(' | ')
}
