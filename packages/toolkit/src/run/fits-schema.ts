/**
 * Whether a value surely fits a schema, for the few keywords that schemas of tools are made of. A good call is by far the
 * most frequent one, and the validator that can describe a bad one takes longer to load than most tools take to run.
 * False means: it does not fit, or it takes a keyword that is not known here. Whoever gets it asks the validator.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

/** Writes the defaults into `value`, as the validator does. */
export function fitsSchema(schema: unknown, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema)) return false
  return Object.entries(schema).every(([keyword, rule]) => CHECKS.get(keyword)?.(rule, value, schema) === true)
}

type Check = (rule: unknown, value: unknown, schema: JsonObject) => boolean

const says: Check = () => true

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['description', says],
  ['title', says],
  // Filled in where the property is missing.
  ['default', says],
  ['type', (rule, value) => (Array.isArray(rule) ? rule : [rule]).some((type) => isOfType(type, value))],
  ['enum', (rule, value) => Array.isArray(rule) && isScalar(value) && rule.includes(value)],
  ['const', (rule, value) => isScalar(value) && rule === value],
  ['minimum', (rule, value) => typeof value !== 'number' || (typeof rule === 'number' && value >= rule)],
  ['maximum', (rule, value) => typeof value !== 'number' || (typeof rule === 'number' && value <= rule)],
  ['minLength', (rule, value) => typeof value !== 'string' || (typeof rule === 'number' && lengthOf(value) >= rule)],
  ['maxLength', (rule, value) => typeof value !== 'string' || (typeof rule === 'number' && lengthOf(value) <= rule)],
  ['minItems', (rule, value) => !Array.isArray(value) || (typeof rule === 'number' && value.length >= rule)],
  ['maxItems', (rule, value) => !Array.isArray(value) || (typeof rule === 'number' && value.length <= rule)],
  ['items', (rule, value) => !Array.isArray(value) || value.every((item) => fitsSchema(rule, item))],
  ['properties', (rule, value) => !isJsonObject(value) || fitProperties(rule, value)],
  ['required', (rule, value, schema) => !isJsonObject(value) || hasRequired(rule, value, schema)],
  ['additionalProperties', (rule, value, schema) => !isJsonObject(value) || fitsOthers(rule, value, schema)],
])

function isOfType(type: unknown, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'string':
    case 'boolean':
      return typeof value === type
    case 'null':
      return value === null
    default:
      return false
  }
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** In characters as a person counts them, not in halves of a pair. */
function lengthOf(text: string): number {
  return [...text].length
}

function fitProperties(rules: unknown, value: JsonObject): boolean {
  if (!isJsonObject(rules)) return false
  return Object.entries(rules).every(([name, rule]) => {
    if (value[name] === undefined && isJsonObject(rule) && rule.default !== undefined) {
      value[name] = structuredClone(rule.default)
    }
    return value[name] === undefined || fitsSchema(rule, value[name])
  })
}

/** A default is as good as a value, wherever `required` stands in the schema. */
function hasRequired(names: unknown, value: JsonObject, { properties }: JsonObject): boolean {
  const hasDefault = (name: string): boolean => {
    const rule = isJsonObject(properties) ? properties[name] : undefined
    return isJsonObject(rule) && rule.default !== undefined
  }
  return Array.isArray(names) && names.every((name) => value[String(name)] !== undefined || hasDefault(String(name)))
}

function fitsOthers(rule: unknown, value: JsonObject, { properties }: JsonObject): boolean {
  const known = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  return Object.keys(value).every((name) => known.has(name) || fitsSchema(rule, value[name]))
}
