import type { ServerResponse } from 'node:http'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import { refuse } from './write-response.ts'

/** What went wrong inside is in the log; outside it is one of our bugs and no more. */
export function answerBug(log: Logger, thrown: unknown, response: ServerResponse): void {
  const error = toSwitchboardError(thrown)
  const stack = thrown instanceof Error ? thrown.stack : undefined
  log.error('gateway.http', error.message, { stack })
  refuse(response, new SwitchboardError('internal', 'The request failed because of a bug in Switchboard'))
}
