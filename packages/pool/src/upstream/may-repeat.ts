import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Run } from './run.ts'

/** A lost call is repeated once by itself where doing it twice does no harm. */
export function mayRepeat(
  error: unknown,
  { method, call, tool, deadline }: Run,
  { retry, now }: { readonly retry: 'safe' | 'never'; readonly now: number },
): boolean {
  if (!(error instanceof SwitchboardError) || error.code !== 'server_exited') return false
  if (call.signal.aborted || deadline <= now) return false
  if (error.executed === false) return true
  if (retry === 'never') return false
  if (method !== 'tools/call') return true
  return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true
}
