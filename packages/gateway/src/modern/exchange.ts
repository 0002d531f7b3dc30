import type { JsonRpcNotification } from '@switchboard/protocol'

/** One modern request on its way: where its notifications go, and whether anybody still waits. */
export interface ModernExchange {
  /** Progress, log messages, what a listen stream announces. Never throws. */
  notify(notification: JsonRpcNotification): void
  /** Aborted when the client closed the response stream or cancelled. */
  readonly signal: AbortSignal
}
