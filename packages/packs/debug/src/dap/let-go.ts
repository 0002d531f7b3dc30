/** Makes a program that we attached to ready to go on without us. Whatever fails here, the connection is ended next. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DapSession } from './dap-session.ts'
import type { DapTraits } from './traits.ts'

const TIMEOUT_MS = 1_000
const POLL_MS = 10

export async function letGo(session: DapSession, how: NonNullable<DapTraits['beforeDetach']>): Promise<void> {
  const options = { timeout: TIMEOUT_MS }
  for (const [path] of session.breakpointFiles) await session.setBreakpoints(path, [])
  if (how.evaluate !== undefined) {
    const threadId = await standStill(session)
    const { frames } = await session.stack(threadId, { start: 0, count: 1 }, options)
    const frameId = frames[0]?.id
    await session.evaluate(how.evaluate, { context: 'repl', ...(frameId === undefined ? {} : { frameId }) }, options)
  }
  if (how.continues !== true) return
  const standing = session.stoppedThread
  if (standing !== undefined) await session.continue(standing)
}

async function standStill(session: DapSession): Promise<number> {
  if (session.stoppedThread === undefined) await session.pause()
  for (const until = Date.now() + TIMEOUT_MS; ; ) {
    const threadId = session.stoppedThread
    if (threadId !== undefined) return threadId
    if (Date.now() > until || session.isEnded) throw new Error('it does not stand still')
    await delay(POLL_MS)
  }
}
