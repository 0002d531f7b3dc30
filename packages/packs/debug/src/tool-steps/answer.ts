/** How a tool that lets a program run comes to its answer: wait under the budget, then one snapshot. */
import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { WaitOutcome } from '../desk/debug-desk.ts'
import type { ManagedSession } from '../desk/managed-session.ts'
import type { Snapshot } from '../generated/types.ts'
import { formatSnapshot } from '../snapshot/format-snapshot.ts'
import { takeSnapshot } from '../snapshot/take-snapshot.ts'
import { recallError } from './recall-error.ts'

/** What of a call's budget is kept for the snapshot after the wait. */
export const RESERVE_MS = 4_000
const LEAST_WAIT_MS = 100

export async function waitAndAnswer(
  context: DebugContext,
  session: ManagedSession | undefined,
  { timeoutMs, hints = false }: { timeoutMs: number; hints?: boolean },
): Promise<ToolOutcome<Snapshot>> {
  const outcome = await waitForStop(context, session, timeoutMs)
  return answer(context, outcome, { hints })
}

export function waitForStop(
  context: DebugContext,
  session: ManagedSession | undefined,
  timeoutMs: number,
): Promise<WaitOutcome> {
  const left = Math.max(LEAST_WAIT_MS, Math.min(timeoutMs, context.budgetMs - RESERVE_MS))
  return deskOf(context).waitForStop(session, { signal: context.signal, timeoutMs: left })
}

export async function answer(
  context: DebugContext,
  outcome: WaitOutcome,
  { hints = false }: { hints?: boolean } = {},
): Promise<ToolOutcome<Snapshot>> {
  const { host, signal } = context
  const snapshot = await takeSnapshot(deskOf(context), outcome, { signal, masking: host.masking })
  const text = formatSnapshot(snapshot, { hints })
  const line = await recallError(context, snapshot)
  return { data: snapshot, text: line === undefined ? text : `${text}\n${line}` }
}
