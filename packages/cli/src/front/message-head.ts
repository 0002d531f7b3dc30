/**
 * What the front must know of a line: request, notification or answer, and its id and method. A short line is parsed. Of a
 * long one only the first and last bytes are read: the members before its first object or list and those behind its last
 * stand there, and each is taken only where the grammar leaves no doubt that it is a member of the message itself. Where that
 * does not settle it, the line is parsed after all. (A member given twice, which no writer of JSON does, may be missed.)
 */
import { classifyMessage, isJsonObject, isRequestId, type JsonObject, type RequestId } from '@switchboard/protocol'
import { parseJson } from '@switchboard/protocol/framing'

export type MessageHead =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly message?: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly message?: JsonObject }
  /** `id` is null when the other side could not tell what it answers. */
  | { readonly kind: 'response'; readonly id: RequestId | null; readonly message?: JsonObject }
  | { readonly kind: 'batch'; readonly messages: readonly unknown[] }
  /** Not JSON, or no message: for the daemon to complain about. */
  | { readonly kind: 'other' }
export type RequestHead = Extract<MessageHead, { kind: 'request' }>

/** Up to this size a parse costs no more than looking at the edges. */
const PARSED_BYTES = 1024
const EDGE_BYTES = 512

/** Plain ASCII without escapes: in the bytes it reads as it does in the text. */
const TEXT = String.raw`"[\x20\x21\x23-\x5b\x5d-\x7e]*"`
const SIMPLE = String.raw`(${TEXT}|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|null|true|false)`
const KEY = String.raw`"([A-Za-z_]\w*)"`
const OPENING = /\s*\{/y
const MEMBER = new RegExp(String.raw`\s*${KEY}\s*:\s*${SIMPLE}\s*([,}])`, 'y')
const STRUCTURE = new RegExp(String.raw`\s*${KEY}\s*:\s*[[{]`, 'y')
const LAST_MEMBER = new RegExp(String.raw`,\s*${KEY}\s*:\s*${SIMPLE}\s*$`)
const CLOSING = /\}\s*$/

export function readMessageHead(line: Buffer): MessageHead {
  return (line.length > PARSED_BYTES ? readEdges(line) : undefined) ?? parseMessageHead(line)
}

/** With the message, however long it is. */
export function parseMessageHead(line: Buffer): MessageHead {
  let message: unknown
  try {
    message = parseJson(line.toString())
  } catch {
    return { kind: 'other' }
  }
  if (Array.isArray(message)) return { kind: 'batch', messages: message }
  return classify(message) ?? { kind: 'other' }
}

/** The head of a message that is parsed already. */
export function classify(message: unknown): MessageHead | undefined {
  if (!isJsonObject(message)) return undefined
  const { id, method } = message
  switch (classifyMessage(message)) {
    case 'request':
      // Checked by classifyMessage, which says so of the message only.
      return { kind: 'request', id: id as RequestId, method: method as string, message }
    case 'notification':
      return { kind: 'notification', method: method as string, message }
    case 'response':
      return { kind: 'response', id: (id ?? null) as RequestId | null, message }
    case 'invalid':
      return undefined
  }
}

function readEdges(line: Buffer): MessageHead | undefined {
  const head = readFirstMembers(line.toString('latin1', 0, EDGE_BYTES))
  // Everything was simple, and yet the line is long: white space, or a text too long for the edge.
  if (head === undefined) return undefined
  const members = { ...head.members, ...readLastMembers(line.toString('latin1', line.length - EDGE_BYTES)) }
  const { id, method } = members
  if (typeof method === 'string' && isRequestId(id)) return { kind: 'request', id, method }
  if (isRequestId(id) && method === undefined && (head.next === 'result' || head.next === 'error'))
    return { kind: 'response', id }
  return undefined
}

/** The simple members up to the first object or list, and the name of that. */
function readFirstMembers(text: string): { members: JsonObject; next: string } | undefined {
  const members: JsonObject = {}
  OPENING.lastIndex = 0
  if (!OPENING.test(text)) return undefined
  let position = OPENING.lastIndex
  for (;;) {
    MEMBER.lastIndex = position
    const [, key, value, end] = MEMBER.exec(text) ?? []
    if (key === undefined || value === undefined) break
    if (end === '}') return undefined
    members[key] = parseSimple(value)
    position = MEMBER.lastIndex
  }
  STRUCTURE.lastIndex = position
  const next = STRUCTURE.exec(text)?.[1]
  return next === undefined ? undefined : { members, next }
}

/**
 * Backwards from the last brace, which is that of the message. What ends directly before it is outside of any text, so the
 * quotes of a simple member there are the real ones, and the comma in front of it separates members of the message.
 */
function readLastMembers(text: string): JsonObject {
  const members: JsonObject = {}
  const closing = CLOSING.exec(text)
  let rest = closing === null ? '' : text.slice(0, closing.index)
  for (;;) {
    const found = LAST_MEMBER.exec(rest)
    const [, key, value] = found ?? []
    if (found === null || key === undefined || value === undefined) return members
    if (!Object.hasOwn(members, key)) members[key] = parseSimple(value)
    rest = rest.slice(0, found.index)
  }
}

/** An id that a number has not the digits for is what a parse of the whole line makes of it. */
function parseSimple(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(text) ? BigInt(text) : value
}
