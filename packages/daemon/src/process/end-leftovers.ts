/**
 * What the daemon before us left behind. It was killed, or its info file would be gone; its guard ends its servers and all
 * that they started. Only if the guard was killed as well there is something for us: whatever bears the mark of that daemon is
 * ended. Other homes are none of our business.
 */
import { endOrphans, findOrphans, type Orphan, waitForOrphans } from '@switchboard/process'
import type { DaemonInfo } from '@switchboard/protocol/ipc'
import type { Logger } from '@switchboard/telemetry'

/** What a guard takes. */
const GUARD_MS = 4_000
const END_MS = 2_000

/** Until it is stopped, or nothing is left. Never rejects. */
export function endLeftovers({ pid, started_at }: DaemonInfo, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const find = async (): Promise<Orphan[]> => {
    const since = Date.parse(started_at)
    return (await findOrphans()).filter(({ owner, markedAt }) => owner === pid && markedAt >= since)
  }
  const run = async (): Promise<void> => {
    await waitForOrphans(await find(), { patience: GUARD_MS, signal })
    if (signal.aborted) return
    const found = await find()
    if (found.length === 0) return
    const left = await endOrphans(found, { patience: END_MS, signal })
    const processes = found.map(({ pid: one, command }) => `${one} ${command}`)
    const message = `the daemon ${pid} was killed and left ${found.length} process(es) behind, which were ended`
    log.warn('daemon.leftovers', message, { processes, still_there: left.map(({ pid: one }) => one) })
  }
  const done = run().catch((error: unknown) =>
    log.warn('daemon.leftovers', `could not be looked for: ${String(error)}`),
  )
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
