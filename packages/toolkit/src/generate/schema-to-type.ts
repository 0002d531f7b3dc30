/** A JSON Schema as a TypeScript type, as far as the schemas of tools go; what it does not know is `unknown`. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { readReference } from '../manifest/schema-references.ts'

export interface TypeOptions {
  /** A default stands where a call says nothing, so that a run always has a value. */
  readonly defaultsAreThere: boolean
}

export function schemaToType(schema: unknown, options: TypeOptions, indent = ''): string {
  if (!isJsonObject(schema)) return schema === false ? 'never' : 'unknown'
  if (typeof schema.$ref === 'string') return readReference(schema.$ref) ?? 'unknown'
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return toUnion(schema.enum.map((value) => JSON.stringify(value)))
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) return toUnion(alternatives.map((each) => schemaToType(each, options, indent)))
  if (Array.isArray(schema.type)) {
    return toUnion(schema.type.map((type) => schemaToType({ ...schema, type }, options, indent)))
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `readonly ${wrap(schemaToType(schema.items, options, indent))}[]`
    case 'object':
      return objectToType(schema, options, indent)
    default:
      return isJsonObject(schema.properties) ? objectToType(schema, options, indent) : 'unknown'
  }
}

/** The members between braces; `indent` is that of the line with the brace. */
export function objectToType(schema: JsonObject, options: TypeOptions, indent: string): string {
  const { properties, additionalProperties } = schema
  if (!isJsonObject(properties)) {
    const value = isJsonObject(additionalProperties) ? schemaToType(additionalProperties, options, indent) : 'unknown'
    return `Readonly<Record<string, ${value}>>`
  }
  const names = Object.entries(properties)
  if (names.length === 0) return 'Readonly<Record<string, never>>'
  const required = Array.isArray(schema.required) ? schema.required : []
  const inner = `${indent}  `
  const lines = names.flatMap(([name, property]) => {
    const hasDefault = isJsonObject(property) && property.default !== undefined && options.defaultsAreThere
    const isThere = required.includes(name) || hasDefault
    const type = schemaToType(property, options, inner)
    // A run may write an undefined member into its result: JSON drops it.
    const absent = isThere || options.defaultsAreThere ? '' : ' | undefined'
    const member = `${inner}readonly ${toKey(name)}${isThere ? '' : '?'}: ${type}${absent}`
    return [...toComment(property, inner), member]
  })
  return ['{', ...lines, `${indent}}`].join('\n')
}

function toComment(property: unknown, indent: string): string[] {
  const text = isJsonObject(property) && typeof property.description === 'string' ? property.description : ''
  return text === '' ? [] : [`${indent}/** ${text.trim().replace(/\s+/g, ' ').replaceAll('*/', '* /')} */`]
}

function toKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function toUnion(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ')
}

/** `readonly (A | B)[]`, but `readonly A[]`. */
function wrap(type: string): string {
  const isOne = /^[\w$]+$/.test(type) || (type.startsWith('{') && type.endsWith('}') && !type.includes('} | '))
  return isOne ? type : `(${type})`
}
