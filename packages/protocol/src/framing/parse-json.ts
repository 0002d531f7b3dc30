/**
 * JSON whose numbers stay what they are. A number of JavaScript has 53 bits, and ids, limits in schemas and nanoseconds
 * of other languages have 64: parsed and written again they would be others, without anybody noticing; `1e400` would be null.
 * Such a number becomes a value that `JSON.stringify` writes as it came; where the protocol compares it (the id of a message,
 * its progress token) a bigint, which `encodeMessage` writes. Texts without one, nearly all, are parsed as ever.
 */

import { isJsonObject, type JsonObject } from '../json-rpc.ts'
import { MAX_JSON_DEPTH, throwOnSize } from './json-depth.ts'

/** Both are part of Node since 21; the compiler's library does not know them yet. */
const ExactJson = JSON as typeof JSON & {
  parse(
    text: string,
    reviver: (this: object, key: string, value: unknown, context: { source: string }) => unknown,
  ): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}

/** Either of the two long ones below: most texts have none, also where an id has five digits, and are looked through once. */
const MAYBE_EITHER = /\d(?:[eE][+\d]\d\d|\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d)/
/** Sixteen digits in a row. Written out, the engine looks at every sixteenth character; counted, at every one. */
const MANY_DIGITS = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/
/** The same where a value may stand; within a text it costs no more than the slower way. */
const LONG_INTEGER = /[:[,\s]-?\d{16}/
/** An exponent of three digits, or of a sign and two, in as many places. */
const MAYBE_HUGE = /\d[eE][+\d]\d\d/
/** The same where a value may stand: hashes are full of the above. */
const HUGE = /[:[,\s]-?\d+(?:\.\d+)?[eE]\+?\d{3}/
const INTEGER = /^-?\d+$/
const BYTE_ORDER_MARK = 0xfeff

/** Whatever holds an exact number, at any depth. */
const holders = new WeakSet<object>()

/**
 * Throws what `JSON.parse` throws, a `JsonTooDeepError` or a `JsonTooManyPartsError`. A mark at the start, as some programs write
 * it, is passed over.
 */
export function parseJson(text: string, maxDepth: number = MAX_JSON_DEPTH): unknown {
  throwOnSize(text, maxDepth)
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text
  if (!MAYBE_EITHER.test(json) || !(hasLongInteger(json) || hasHugeNumber(json))) return JSON.parse(json)
  const value = ExactJson.parse(json, keepDigits)
  if (Array.isArray(value)) for (const member of value) makeComparable(member)
  else makeComparable(value)
  return value
}

function hasLongInteger(json: string): boolean {
  return MANY_DIGITS.test(json) && LONG_INTEGER.test(json)
}

function hasHugeNumber(json: string): boolean {
  return MAYBE_HUGE.test(json) && HUGE.test(json)
}

/** What was parsed so, as text again: also a bigint is written as the integer that it came as. */
export function stringifyJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'bigint' ? ExactJson.rawJSON(String(member)) : member,
  )
}

/** The same with plain numbers, for whoever calculates; the very same where all are. */
export function withPlainNumbers<T>(value: T): T {
  // The shape stays as it was; only leaves change, into what the rest of the world takes them for.
  return toPlain(value) as T
}

function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (ExactJson.isRawJSON(value)) return Number(value.rawJSON)
  if (!holders.has(value)) return value
  if (Array.isArray(value)) return value.map(toPlain)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]))
}

function keepDigits(this: object, _key: string, value: unknown, { source }: { source: string }): unknown {
  if (typeof value === 'object' && value !== null && holders.has(value)) holders.add(this)
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  if (Number.isFinite(value) && !INTEGER.test(source)) return value
  holders.add(this)
  return ExactJson.rawJSON(source)
}

/** What is compared and looked up in a message: its id, that of another one, and its progress token. */
function makeComparable(message: unknown): void {
  if (!isJsonObject(message)) return
  toBigint(message, 'id')
  const { params } = message
  if (!isJsonObject(params)) return
  toBigint(params, 'requestId')
  toBigint(params, 'progressToken')
  if (isJsonObject(params._meta)) toBigint(params._meta, 'progressToken')
}

function toBigint(holder: JsonObject, key: string): void {
  const value = holder[key]
  if (ExactJson.isRawJSON(value) && INTEGER.test(value.rawJSON)) holder[key] = BigInt(value.rawJSON)
}
