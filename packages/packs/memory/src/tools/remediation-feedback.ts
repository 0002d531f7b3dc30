import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { RemediationFeedbackData, RemediationFeedbackParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { findById } from '../ids.ts'
import { scopesOf } from '../projects/projects.ts'
import { dataOf, describeSuccess, REMEDIATION, readRemediation } from '../remediations/remediation.ts'

export async function run(
  { id, worked }: RemediationFeedbackParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<RemediationFeedbackData>> {
  const space = await host.space('remediations')
  const { id: whole } = await findById(space, id, { scopes: scopesOf(workspace), kind: REMEDIATION, signal })
  const changed = await space.change(whole, (item) => {
    const known = readRemediation(item)
    const counts = worked ? { worked: known.worked + 1 } : { failed: known.failed + 1 }
    return { ...item, data: { ...item.data, ...dataOf({ ...known, ...counts }) }, updatedAt: host.clock.wallTime() }
  })
  if (changed === undefined) throw new ToolError('E_ID_NOT_FOUND', `The remediation ${whole} was deleted meanwhile`)
  const now = readRemediation(changed)
  return { data: { id: whole, worked: now.worked, failed: now.failed }, text: `Noted: ${describeSuccess(now)}.` }
}
