import type { Call } from '@switchboard/protocol'
import type { Logger } from './logger.ts'

/** Lines of a call are its window's, and part of its trace. */
export function forCall(log: Logger, { traceId, caller: { instance } }: Pick<Call, 'traceId' | 'caller'>): Logger {
  return log.child(instance === undefined ? { traceId } : { traceId, inst: instance })
}
