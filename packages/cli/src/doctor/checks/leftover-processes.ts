/** Servers whose Switchboard was killed together with the guard that should have ended them. Only what is provably ours. */
import { setTimeout as wait } from 'node:timers/promises'
import { findOrphans, isStillOrphan, type Orphan } from '@switchboard/process'
import { SwitchboardError } from '@switchboard/protocol'
import { toSafeLine } from '../../terminal/safe-text.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, ok, warn } from '../finding.ts'

/** What the guard of a killed owner takes to end them itself. */
const GUARD_MS = 2_500
const TERM_MS = 2_000
const KILL_MS = 2_000

export async function checkLeftoverProcesses({ machine }: DoctorContext): Promise<Finding[]> {
  if (machine.platform !== 'linux') return []
  const first = await findOrphans()
  if (first.length > 0) await waitUntilGone(first, GUARD_MS)
  const orphans = await findOrphans()
  if (orphans.length === 0) return [ok('no server runs without its Switchboard')]
  return orphans.map((orphan) => {
    const { pid, owner, command } = orphan
    const what = toSafeLine(command).slice(0, 80)
    const message = `process ${pid} was left behind by Switchboard ${owner}, which is gone: ${what}`
    return warn(message, `kill ${pid}`, () => end(orphan))
  })
}

async function end(orphan: Orphan): Promise<string> {
  for (const [signal, patience] of [
    ['SIGTERM', TERM_MS],
    ['SIGKILL', KILL_MS],
  ] as const) {
    if (!(await isStillOrphan(orphan))) return `process ${orphan.pid} is gone`
    // Its whole group: it is the leader of one that was made for it.
    process.kill(-orphan.pid, signal)
    await waitUntilGone([orphan], patience)
  }
  if (!(await isStillOrphan(orphan))) return `process ${orphan.pid} is gone`
  throw new SwitchboardError('internal', `process ${orphan.pid} does not end, not even by SIGKILL`)
}

async function waitUntilGone(orphans: readonly Orphan[], patience: number): Promise<void> {
  const end = performance.now() + patience
  while (performance.now() < end) {
    const left = await Promise.all(orphans.map(isStillOrphan))
    if (!left.includes(true)) return
    await wait(50)
  }
}
