import type { RequestId } from '@switchboard/protocol'

const ID = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`
/** Only a member of the message itself counts: directly after its first brace, or directly before its last. */
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}`)
const AT_END = new RegExp(String.raw`${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`)

/** Whose answer a message was that is too large to be parsed, from its first and last bytes. */
export function recoverId(head: string, tail: string): RequestId | undefined {
  const text = (AT_START.exec(head) ?? AT_END.exec(tail))?.[1]
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as RequestId
  } catch {
    return undefined
  }
}
