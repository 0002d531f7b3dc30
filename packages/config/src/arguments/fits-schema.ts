/**
 * Whether a value surely fits a schema, for the few keywords that schemas of tools are made of. A good call is by far the
 * most frequent one, and the validator that can describe a bad one takes longer to load than most tools take to run.
 * False means: it does not fit, or it takes a keyword that is not known here. Whoever gets it asks the validator.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

/** Writes the defaults into `value`, as the validator does. */
export function fitsSchema(schema: JsonObject, value: unknown): boolean {
  return fits(schema, value, { root: schema, fills: true, depth: 0 })
}

interface Place {
  /** Has the definitions. */
  readonly root: JsonObject
  /** Whether defaults are written: not inside of alternatives. */
  readonly fills: boolean
  readonly depth: number
}

type Check = (rule: unknown, value: unknown, schema: JsonObject, place: Place) => boolean

const MAX_DEPTH = 100

function fits(schema: unknown, value: unknown, { depth, ...place }: Place): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema) || depth === MAX_DEPTH) return false
  const below = { ...place, depth: depth + 1 }
  return Object.entries(schema).every(([keyword, rule]) => CHECKS.get(keyword)?.(rule, value, schema, below) === true)
}

const says: Check = () => true

const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['description', says],
  ['title', says],
  ['$defs', says],
  // Filled in where the property is missing.
  ['default', says],
  ['$ref', (rule, value, _, place) => fits(findDefinition(rule, place.root), value, place)],
  ['anyOf', (rule, value, _, place) => toList(rule).some((one) => fits(one, value, { ...place, fills: false }))],
  ['type', (rule, value) => (Array.isArray(rule) ? rule : [rule]).some((type) => isOfType(type, value))],
  ['enum', (rule, value) => isScalar(value) && toList(rule).includes(value)],
  ['const', (rule, value) => isScalar(value) && rule === value],
  ['minimum', (rule, value) => typeof value !== 'number' || (typeof rule === 'number' && value >= rule)],
  ['maximum', (rule, value) => typeof value !== 'number' || (typeof rule === 'number' && value <= rule)],
  ['minLength', (rule, value) => typeof value !== 'string' || (typeof rule === 'number' && lengthOf(value) >= rule)],
  ['maxLength', (rule, value) => typeof value !== 'string' || (typeof rule === 'number' && lengthOf(value) <= rule)],
  ['minItems', (rule, value) => !Array.isArray(value) || (typeof rule === 'number' && value.length >= rule)],
  ['maxItems', (rule, value) => !Array.isArray(value) || (typeof rule === 'number' && value.length <= rule)],
  ['items', (rule, value, _, place) => !Array.isArray(value) || value.every((item) => fits(rule, item, place))],
  ['properties', (rule, value, _, place) => !isJsonObject(value) || fitProperties(rule, value, place)],
  ['required', (rule, value, schema, place) => !isJsonObject(value) || hasRequired(rule, value, schema, place)],
  ['additionalProperties', (rule, value, schema, at) => !isJsonObject(value) || fitsOthers(rule, value, schema, at)],
])

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Undefined, which nothing fits: it refers to something else. */
function findDefinition(reference: unknown, { $defs }: JsonObject): unknown {
  const name = typeof reference === 'string' ? /^#\/\$defs\/([A-Za-z0-9]+)$/.exec(reference)?.[1] : undefined
  return name !== undefined && isJsonObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : undefined
}

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

function fitProperties(rules: unknown, value: JsonObject, place: Place): boolean {
  if (!isJsonObject(rules)) return false
  return Object.entries(rules).every(([name, rule]) => {
    if (value[name] === undefined && hasDefault(rule)) {
      if (!place.fills) return false
      value[name] = structuredClone(rule.default)
    }
    return value[name] === undefined || fits(rule, value[name], place)
  })
}

function hasDefault(rule: unknown): rule is JsonObject {
  return isJsonObject(rule) && rule.default !== undefined
}

/** A default is as good as a value, wherever `required` stands in the schema. */
function hasRequired(names: unknown, value: JsonObject, { properties }: JsonObject, { fills }: Place): boolean {
  const rules = isJsonObject(properties) ? properties : {}
  return toList(names).every((name) => value[String(name)] !== undefined || (fills && hasDefault(rules[String(name)])))
}

function fitsOthers(rule: unknown, value: JsonObject, { properties }: JsonObject, place: Place): boolean {
  const known = new Set(isJsonObject(properties) ? Object.keys(properties) : [])
  return Object.keys(value).every((name) => known.has(name) || fits(rule, value[name], place))
}
