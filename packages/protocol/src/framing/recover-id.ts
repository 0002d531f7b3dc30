import type { RequestId } from '../json-rpc.ts'

const ID = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`
/** Only a member of the message itself counts: directly after its first brace, or directly before its last. */
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}`)
const AT_END = new RegExp(String.raw`${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`)

/** A server's own question counts its ids by itself: one of them may be equal to that of a call of ours. */
const IS_QUESTION = new RegExp(String.raw`^\s*\{\s*(?:(?:${VERSION}|${ID})\s*,\s*)*"method"`)

/** Whose answer a message was that is not parsed, from its first and last bytes. Null: it is no answer. Undefined: nobody can tell. */
export function recoverId(head: string, tail: string): RequestId | null | undefined {
  if (IS_QUESTION.test(head)) return null
  const text = (AT_START.exec(head) ?? AT_END.exec(tail))?.[1]
  if (text === undefined) return undefined
  try {
    const id = JSON.parse(text) as RequestId
    // An integer that a number has not the digits for.
    return typeof id === 'number' && !Number.isSafeInteger(id) ? BigInt(text) : id
  } catch {
    return undefined
  }
}
