/**
 * JSON whose integers keep all their digits. A number of JavaScript has 53 bits, and ids, limits in schemas and nanoseconds
 * of other languages have 64: parsed and written again they would be others, without anybody noticing. Such an integer
 * becomes a value that `JSON.stringify` writes as it came. Texts without one, nearly all, are parsed as ever.
 */

/** Both are part of Node since 21; the compiler's library does not know them yet. */
const ExactJson = JSON as typeof JSON & {
  parse(
    text: string,
    reviver: (this: object, key: string, value: unknown, context: { source: string }) => unknown,
  ): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}

/** Sixteen digits in a row. Written out, the engine looks at every sixteenth character; counted, at every one. */
const MANY_DIGITS = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/
/** The same where a value may stand; within a text it costs no more than the slower way. */
const LONG_INTEGER = /[:[,\s]-?\d{16}/
const INTEGER = /^-?\d+$/
/** These are compared and looked up: they stay numbers. */
const LOOKED_UP: ReadonlySet<string> = new Set(['progressToken', 'requestId'])

/** Whatever holds an exact integer, at any depth. */
const holders = new WeakSet<object>()

/** Throws what `JSON.parse` throws. The id of a message is a number in any case. */
export function parseJson(text: string): unknown {
  if (!MANY_DIGITS.test(text) || !LONG_INTEGER.test(text)) return JSON.parse(text)
  const value = ExactJson.parse(text, keepDigits)
  if (Array.isArray(value)) for (const member of value) keepId(member)
  else keepId(value)
  return value
}

/** The same with plain numbers, for whoever calculates; the very same where all are. */
export function withPlainNumbers<T>(value: T): T {
  // The shape stays as it was; only leaves change, into what the rest of the world takes them for.
  return toPlain(value) as T
}

function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (ExactJson.isRawJSON(value)) return Number(value.rawJSON)
  if (!holders.has(value)) return value
  if (Array.isArray(value)) return value.map(toPlain)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]))
}

function keepDigits(this: object, key: string, value: unknown, { source }: { source: string }): unknown {
  if (typeof value === 'object' && value !== null && holders.has(value)) holders.add(this)
  if (typeof value !== 'number' || Number.isSafeInteger(value) || LOOKED_UP.has(key) || !INTEGER.test(source))
    return value
  holders.add(this)
  return ExactJson.rawJSON(source)
}

function keepId(message: unknown): void {
  if (typeof message !== 'object' || message === null || !('id' in message)) return
  const { id } = message
  if (ExactJson.isRawJSON(id)) message.id = Number(id.rawJSON)
}
