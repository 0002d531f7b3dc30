import { isJsonObject, type JsonObject, type RequestId } from '@switchboard/protocol'
import { JsonTooDeepError, JsonTooManyPartsError, parseJson, recoverId } from '@switchboard/protocol/framing'
import type { HandlerGate } from './handler-gate.ts'
import type { TransportHandlers } from './transport.ts'

/** What is shown of text that turned out not to be the protocol. */
const MAX_OUTPUT_CHARACTERS = 2000
/** Members of a message that name it stand at its start or its end. */
const EDGE_CHARACTERS = 4096

/** Smaller ones are parsed without a question. */
export const LARGE_MESSAGE_BYTES = 1024 * 1024

/** Of a batch, which is delivered before anybody else has a turn. No server has so many answers to give at once. */
const MAX_BATCH = 1_000

/** `too_deep`, `too_many`: it was not taken apart. Undefined: this is not the protocol. */
export type Decoded = readonly JsonObject[] | 'too_deep' | 'too_many' | undefined

/** The messages of one line, frame, event or body: one, or a batch (2025-03-26). */
export function decodeMessages(text: string): Decoded {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof JsonTooManyPartsError) return 'too_many'
    return error instanceof JsonTooDeepError && mayBeMessage(text) ? 'too_deep' : undefined
  }
  if (isJsonObject(value)) return [value]
  if (Array.isArray(value) && value.length > MAX_BATCH) return 'too_many'
  return Array.isArray(value) && value.length > 0 && value.every(isJsonObject) ? value : undefined
}

/** Delivers one frame or event: its messages in order, or its text as the server's own output. */
export function deliverText(
  gate: HandlerGate,
  text: string,
  origin?: RequestId,
  onDelivered?: (message: JsonObject) => void,
): void {
  if (text.length > LARGE_MESSAGE_BYTES && refuseLarge(gate, recoverIdOf(text, origin), text.length, onDelivered))
    return
  const messages = decodeMessages(text)
  if (messages === undefined) gate.onOutput('stdout', text.slice(0, MAX_OUTPUT_CHARACTERS))
  else if (typeof messages === 'string') {
    const id = recoverIdOf(text, origin)
    refuseUnread(gate, messages, id, text.length)
    if (id !== undefined && id !== null) onDelivered?.({ id })
  } else
    for (const message of messages) {
      gate.onMessage(message, origin)
      onDelivered?.(message)
    }
}

/** True: it was refused, and nothing more is to be done with it. */
export function refuseLarge(
  handlers: Pick<TransportHandlers, 'isTooLarge' | 'onOversized'>,
  id: RequestId | null | undefined,
  bytes: number,
  onDelivered?: (message: JsonObject) => void,
): boolean {
  if (!handlers.isTooLarge(id, bytes)) return false
  handlers.onOversized(id, bytes)
  if (id !== undefined && id !== null) onDelivered?.({ id })
  return true
}

/** A message that was not taken apart, told for what it is. */
export function refuseUnread(
  handlers: Pick<TransportHandlers, 'onTooDeep' | 'onOversized'>,
  why: Extract<Decoded, string>,
  id: RequestId | null | undefined,
  bytes: number,
): void {
  if (why === 'too_deep') handlers.onTooDeep(id)
  else handlers.onOversized(id, bytes)
}

/** Also a heap of brackets is nested deeply; it is output as any other. The engine itself parses every depth. */
function mayBeMessage(text: string): boolean {
  if (text.length > LARGE_MESSAGE_BYTES) return true
  try {
    return isJsonObject(JSON.parse(text))
  } catch {
    return false
  }
}

/** Whose answer a message was that is not parsed. `origin`: of the stream that it came on. */
export function recoverIdOf(text: string, origin?: RequestId): RequestId | null | undefined {
  const id = recoverId(text.slice(0, EDGE_CHARACTERS), text.slice(-EDGE_CHARACTERS))
  return id === undefined ? origin : id
}

/** Whether this is the answer, good or bad, to the request of that id. */
export function isResponseTo(message: JsonObject, id: RequestId | undefined): boolean {
  return id !== undefined && message.id === id && message.method === undefined
}
