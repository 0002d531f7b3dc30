/** Servers whose Switchboard was killed together with the guard that should have ended them. Only what is provably ours. */
import { endOrphans, findOrphans, type Orphan, waitForOrphans } from '@switchboard/process'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { maskCommandLine } from '@switchboard/telemetry'
import { toSafeLine } from '../../terminal/safe-text.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, ok, warn } from '../finding.ts'

/** What the guard of a killed owner takes to end them itself. */
const GUARD_MS = 2_500
const END_MS = 2_000

export async function checkLeftoverProcesses({ machine }: DoctorContext): Promise<Finding[]> {
  if (machine.platform !== 'linux') return []
  await waitForOrphans(await findOrphans(), { patience: GUARD_MS })
  const orphans = await findOrphans()
  if (orphans.length === 0) return [ok('no server runs without its Switchboard')]
  return orphans.map((orphan) => {
    const { pid, owner, command } = orphan
    const what = toSafeLine(maskCommandLine(command)).slice(0, 80)
    const message = `process ${pid} was left behind by Switchboard ${owner}, which is gone: ${what}`
    return warn(message, `kill ${pid}`, () => end(orphan))
  })
}

async function end(orphan: Orphan): Promise<string> {
  const left = await endOrphans([orphan], { patience: END_MS })
  if (left.length === 0) return `process ${orphan.pid} is gone`
  throw new SwitchboardError('internal', `process ${orphan.pid} does not end, not even by SIGKILL`)
}
