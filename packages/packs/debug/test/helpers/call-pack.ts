/** One way to call a tool of a pack, and to read its answer. */
import { type Call, isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Pack } from '@switchboard/toolkit'

export interface Reading {
  readonly text: string
  readonly isError: boolean
  readonly data: JsonObject
  /** Empty when it succeeded. */
  readonly code: string
  readonly error: JsonObject
}

export const INSTANCE = 'tt79-6f854d'

export async function callPack(
  pack: Pick<Pack, 'request'>,
  name: string,
  args: JsonObject,
  call: Partial<Call> = {},
): Promise<Reading> {
  const result = await pack.request(
    'tools/call',
    { name, arguments: args },
    {
      id: '1',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      signal: new AbortController().signal,
      caller: { era: 'legacy', capabilities: {}, instance: INSTANCE },
      ...call,
    },
  )
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  const error = isJsonObject(envelope.error) ? envelope.error : {}
  const [block] = Array.isArray(result.content) ? result.content : []
  return {
    text: isJsonObject(block) && typeof block.text === 'string' ? block.text : '',
    isError: result.isError === true,
    data: isJsonObject(envelope.data) ? envelope.data : {},
    code: typeof error.code === 'string' ? error.code : '',
    error,
  }
}
