import type { Call } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'

/** One step of a call on its way to a server and back, for whoever follows its trace. Off unless the level is debug. */
export function logStep(log: Logger, server: string, call: Call, step: string): void {
  if (!log.isEnabled('debug')) return
  const { traceId, caller } = call
  const { instance } = caller
  const own = log.child(instance === undefined ? { traceId } : { traceId, inst: instance })
  own.debug('pool.call', `${server}: ${step}`, { server })
}
