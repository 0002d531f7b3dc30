/**
 * What is asked of an engine while an agent waits: it fails when the time is over or the call is cancelled, and what was asked
 * for goes on by itself. A program that was told to go on is not to be called back because nobody listens any more.
 */
import { ToolError } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'

/** Whatever time is left: no engine answers in none. */
const LEAST_MS = 1_000

export async function inTime<T>(
  { signal }: Pick<DebugContext, 'signal'>,
  timeoutMs: number,
  what: string,
  asked: Promise<T>,
): Promise<T> {
  const limit = Math.round(Math.max(LEAST_MS, timeoutMs))
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  const timer = setTimeout(
    () =>
      reject(
        new ToolError(
          'E_TIMEOUT',
          `The debugger has not answered to ${what} in ${limit} ms. debug_status shows what it says later; debug_stop ends it`,
        ),
      ),
    limit,
  )
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    // When it fails later nobody is there to hear it.
    asked.catch(() => {})
    return await Promise.race([asked, promise])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
