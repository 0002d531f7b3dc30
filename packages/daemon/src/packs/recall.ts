/**
 * Whether an error was seen before, asked of the packs. It is a courtesy: it never fails, and who waits for an answer of a tool
 * waits no longer for it than this.
 */
import { errorMessage, within } from '@switchboard/base'
import type { FailedAnswer } from '@switchboard/gateway'
import { type Caller, isJsonObject } from '@switchboard/protocol'
import { isPackProvider } from '@switchboard/protocol/naming'
import type { Logger } from '@switchboard/telemetry'
import type { MetError } from '@switchboard/toolkit'

const DEADLINE_MS = 20
/** No error says more. */
const MAX_TEXT = 20_000

export interface RecallSource {
  recall(error: MetError, caller: Caller): Promise<string | undefined>
}

export async function recallInTime(
  source: RecallSource,
  error: MetError,
  caller: Caller,
  log: Logger,
): Promise<string | undefined> {
  const asked = source.recall(error, caller).catch((thrown: unknown) => {
    log.warn('pack.recall', `nobody could tell whether an error was seen before: ${errorMessage(thrown)}`)
    return undefined
  })
  return within(asked, DEADLINE_MS)
}

/** Of a tool of a server. Our own packs ask by themselves, where what they answer is an error of somebody's program. */
export function recallAnswer(
  source: RecallSource,
  { provider, result, call }: FailedAnswer,
  log: Logger,
): Promise<string | undefined> | undefined {
  if (isPackProvider(provider) || !Array.isArray(result.content)) return undefined
  const blocks: readonly unknown[] = result.content
  const texts = blocks.flatMap((block) => (isJsonObject(block) && typeof block.text === 'string' ? [block.text] : []))
  const message = texts.join('\n').slice(0, MAX_TEXT)
  return message.trim() === '' ? undefined : recallInTime(source, { message }, call.caller, log)
}
