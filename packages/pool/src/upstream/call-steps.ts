/** The steps of a call on its way to a server and back: their times always, and more where somebody follows its trace. */
import type { Clock } from '@switchboard/base'
import type { Call } from '@switchboard/protocol'
import { type ErrorCode, SwitchboardError } from '@switchboard/protocol/errors'
import { forCall, type Logger } from '@switchboard/telemetry'

/** Off unless the level is debug. */
export function logStep(log: Logger, server: string, call: Call, step: string): void {
  if (!log.isEnabled('debug')) return
  forCall(log, call).debug('pool.call', `${server}: ${step}`, { server })
}

/** `what`: its turn, or its server. */
export function logWait(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  server: string,
  call: Call,
  what: string,
): void {
  if (call.times !== undefined) call.times.queuedAt ??= clock.now()
  call.span?.note('switchboard.wait', { 'switchboard.wait.for': what })
  logStep(log, server, call, `waits for ${what}`)
}

export function noteSent({ times }: Call, at: number): void {
  if (times !== undefined) times.sentAt ??= at
}

export function noteAnswer({ times }: Call, at: number): number {
  if (times !== undefined) times.answeredAt = at
  return at
}

/** With these the server itself has answered. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set(['upstream_error', 'bad_response', 'message_too_large'])

export function noteFailure(call: Call, error: unknown, at: number): void {
  if (error instanceof SwitchboardError && ANSWERS.has(error.code)) noteAnswer(call, at)
}
