import { isJsonObject, type JsonObject, parseJson, type RequestId } from '@switchboard/protocol'
import type { HandlerGate } from './handler-gate.ts'

/** What is shown of text that turned out not to be the protocol. */
const MAX_OUTPUT_CHARACTERS = 2000

/** The messages of one frame, event or body: one, or a batch (2025-03-26). Undefined: this is not the protocol. */
export function decodeMessages(text: string): readonly JsonObject[] | undefined {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return undefined
  }
  if (isJsonObject(value)) return [value]
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject) ? value : undefined
}

/** Delivers one frame or event: its messages in order, or its text as the server's own output. */
export function deliverText(
  gate: HandlerGate,
  text: string,
  origin?: RequestId,
  onDelivered?: (message: JsonObject) => void,
): void {
  const messages = decodeMessages(text)
  if (messages === undefined) {
    gate.onOutput('stdout', text.slice(0, MAX_OUTPUT_CHARACTERS))
    return
  }
  for (const message of messages) {
    gate.onMessage(message, origin)
    onDelivered?.(message)
  }
}

/** Whether this is the answer, good or bad, to the request of that id. */
export function isResponseTo(message: JsonObject, id: RequestId | undefined): boolean {
  return id !== undefined && message.id === id && message.method === undefined
}
