/** The arguments of a call from the command line: JSON, stdin, or pairs that the tool's schema gives their types. */
import { text as readText } from 'node:stream/consumers'
import { errorMessage, nearestName } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { UsageError } from '../command-line/usage-error.ts'
import type { InputStream } from '../program/io.ts'
import { propertiesOf, typesOf } from './describe-arguments.ts'

const command = 'call'

/** `-` reads stdin; nothing is an empty object. */
export async function readJsonArgument(given: string | undefined, stdin: InputStream): Promise<JsonObject> {
  if (given === undefined) return {}
  const text = given === '-' ? await readText(stdin) : given
  const where = given === '-' ? 'stdin' : 'the argument'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = errorMessage(error)
    throw new UsageError(`The JSON of ${where} cannot be read: ${reason}`, {
      command,
      hint: `Quote it for your shell: '{"text":"hello"}', or write text=hello.`,
    })
  }
  if (!isJsonObject(value)) {
    throw new UsageError(
      `The JSON of ${where} must be an object, not ${Array.isArray(value) ? 'a list' : typeof value}.`,
      {
        command,
      },
    )
  }
  return value
}

/** Puts `key=value` pairs over `base`. A dot reaches into an object, unless the schema knows the whole key. */
export function applyPairs(base: JsonObject, pairs: readonly string[], schema: JsonObject): JsonObject {
  const result = structuredClone(base)
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`--arg "${pair}" is not of the form key=value.`, { command })
    const key = pair.slice(0, at)
    const path = key in propertiesOf(schema) ? [key] : key.split('.')
    setAt(result, path, schema, pair.slice(at + 1), key)
  }
  return result
}

function setAt(target: JsonObject, path: readonly string[], schema: JsonObject, text: string, key: string): void {
  const [name = '', ...deeper] = path
  const properties = propertiesOf(schema)
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  if (property === undefined && schema.additionalProperties === false) {
    const nearest = nearestName(name, Object.keys(properties))
    throw new UsageError(
      `The tool has no argument "${key}".${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
      {
        command,
        hint: `Its arguments: ${Object.keys(properties).join(', ') || 'none'}.`,
      },
    )
  }
  if (deeper.length > 0) {
    const inner = readOwn(target, name)
    const child = isJsonObject(inner) ? inner : {}
    define(target, name, child)
    setAt(child, deeper, property ?? {}, text, key)
    return
  }
  const value = readValue(text, property ?? {}, key)
  const before = readOwn(target, name)
  // The same key again adds to a list.
  const isAdded = Array.isArray(before) && typesOf(property ?? {}).includes('array')
  define(target, name, isAdded ? [...before, ...(Array.isArray(value) ? value : [value])] : value)
}

function readOwn(target: JsonObject, name: string): unknown {
  return Object.hasOwn(target, name) ? target[name] : undefined
}

/** `__proto__` is a name like any other. */
function define(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}

/** As the schema wants it; where it says nothing, JSON when it is JSON and else text. */
function readValue(text: string, schema: JsonObject, key: string): unknown {
  const types = typesOf(schema)
  if (types.length === 0) return tryJson(text) ?? text
  for (const type of types) {
    const value = readAs(type, text, schema, key)
    if (value !== undefined) return value
  }
  throw new UsageError(`"${key}" cannot be "${text}": it must be ${types.map(withArticle).join(' or ')}.`, {
    command,
  })
}

function readAs(type: string, text: string, schema: JsonObject, key: string): unknown {
  switch (type) {
    case 'string':
      return text
    case 'number':
    case 'integer': {
      const number = text.trim() === '' ? Number.NaN : Number(text)
      return Number.isFinite(number) && (type === 'number' || Number.isInteger(number)) ? number : undefined
    }
    case 'boolean':
      return /^(?:true|yes|on|1)$/i.test(text) ? true : /^(?:false|no|off|0)$/i.test(text) ? false : undefined
    case 'null':
      return text === 'null' ? null : undefined
    case 'object': {
      const value = tryJson(text)
      return isJsonObject(value) ? value : undefined
    }
    case 'array': {
      const value = tryJson(text)
      if (Array.isArray(value)) return value
      const items = isJsonObject(schema.items) ? schema.items : {}
      return text === '' ? [] : text.split(',').map((item) => readValue(item, items, key))
    }
    default:
      return undefined
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function withArticle(type: string): string {
  return type === 'null' ? type : `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
}
