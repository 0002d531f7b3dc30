/** One way to call a tool of a pack, and to read its answer. */
import { type Call, type Caller, isJsonObject, type JsonObject, type Provider } from '@switchboard/protocol'
import { textOf } from './read-answer.ts'

export interface Reading {
  readonly text: string
  readonly isError: boolean
  readonly data: JsonObject
  /** Empty when it succeeded. */
  readonly code: string
  readonly error: JsonObject
  readonly meta: JsonObject
}

/** The window that calls, if a test names no other. */
export const INSTANCE = 'tt79-6f854d'

export async function callPack(
  { provider }: { readonly provider: Provider },
  name: string,
  args: JsonObject = {},
  call: Partial<Call> = {},
): Promise<Reading> {
  const result = await provider.request('tools/call', { name, arguments: args }, { ...createCall(), ...call })
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  const member = (key: string): JsonObject => {
    const value = envelope[key]
    return isJsonObject(value) ? value : {}
  }
  const { code } = member('error')
  return {
    text: textOf(result),
    isError: result.isError === true,
    data: member('data'),
    code: typeof code === 'string' ? code : '',
    error: member('error'),
    meta: member('meta'),
  }
}

/** A call by the window of a legacy agent, of which a test says only what matters to it. */
export function createCall(call: Partial<Omit<Call, 'caller'>> & { caller?: Partial<Caller> } = {}): Call {
  const { caller, ...rest } = call
  return {
    id: '7',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    signal: new AbortController().signal,
    caller: { era: 'legacy', capabilities: {}, instance: INSTANCE, ...caller },
    ...rest,
  }
}
