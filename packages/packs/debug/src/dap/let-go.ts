/** Makes a program that we attached to ready to go on without us. Whatever fails here, the connection is ended next. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DapSession } from './dap-session.ts'
import type { DapTraits } from './traits.ts'

/** For all of it: a program that cannot answer is left as it is, one on a busy machine is waited for. */
const TIMEOUT_MS = 5_000
const POLL_MS = 10

export async function letGo(session: DapSession, how: NonNullable<DapTraits['beforeDetach']>): Promise<void> {
  const until = Date.now() + TIMEOUT_MS
  const inTime = (): { timeout: number } => ({ timeout: Math.max(1, until - Date.now()) })
  for (const [path] of session.breakpointFiles) await session.setBreakpoints(path, [])
  if (how.evaluate !== undefined) {
    const threadId = await standStill(session, until)
    const { frames } = await session.stack(threadId, { start: 0, count: 1 }, inTime())
    const frameId = frames[0]?.id
    await session.evaluate(how.evaluate, { context: 'repl', ...(frameId === undefined ? {} : { frameId }) }, inTime())
  }
  if (how.continues !== true) return
  const standing = session.stoppedThread
  if (standing !== undefined) await session.continue(standing)
}

/** For a debugger that hears of its end only while the program stands. */
export async function standForKill(session: DapSession, how: NonNullable<DapTraits['beforeDetach']>): Promise<void> {
  if (how.standsForKill === true) await standStill(session, Date.now() + TIMEOUT_MS)
}

async function standStill(session: DapSession, until: number): Promise<number> {
  if (session.stoppedThread === undefined) await session.pause()
  for (;;) {
    const threadId = session.stoppedThread
    if (threadId !== undefined) return threadId
    if (Date.now() > until || session.isEnded) throw new Error('it does not stand still')
    await delay(POLL_MS)
  }
}
