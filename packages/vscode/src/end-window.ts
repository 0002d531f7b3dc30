/**
 * How an activation ends: in its order, and within two seconds, whatever does not answer. VS Code gives all extensions of a window
 * five seconds together, and then kills them.
 *
 * 1. The server is taken back first, in its four steps.
 * 2. What fails, or takes too long, keeps nothing that comes after it.
 * 3. Two things can take long: what agents debug, and the disk that the log is written to. Each has a limit of its own.
 */
import { errorMessage, within } from '@switchboard/base'
import type { Logger } from '@switchboard/telemetry'
import { type Deactivation, takeServerBack } from './mcp/deactivation.ts'

/** Most of the two seconds: programs that stand still are killed, and that is waited for. */
const PROGRAMS_MS = 1_300
const LOG_MS = 500

export interface WindowEnd {
  readonly log: Logger
  /** Absent: the activation failed before there was one. */
  readonly server: Omit<Deactivation, 'log'> | undefined
  readonly endPrograms: () => Promise<void>
  /** Each at once, in this order. */
  readonly rest: readonly { dispose(): void }[]
}

export async function endWindow({ log, server, endPrograms, rest }: WindowEnd): Promise<void> {
  const attempt = async (end: () => Promise<void> | void): Promise<void> => {
    try {
      await end()
    } catch (error) {
      log.error('ext.deactivate', `a part did not end: ${errorMessage(error)}`)
    }
  }
  log.info('ext.deactivate', 'deactivating')
  if (server !== undefined) await attempt(() => takeServerBack({ ...server, log }))
  await attempt(async () => {
    const ended = endPrograms().then(() => true)
    if ((await within(ended, PROGRAMS_MS)) === undefined) {
      log.warn('ext.deactivate', 'what agents debug has not ended in time: it is left to the guard')
    }
  })
  for (const part of rest) await attempt(() => part.dispose())
  log.info('ext.deactivate', 'deactivated')
  await within(log.close(), LOG_MS)
}
