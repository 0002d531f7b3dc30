import type { ToolOutcome } from '@switchboard/toolkit'
import type { RemediationSaveData, RemediationSaveParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { checkContext, checkSaid } from '../limits.ts'
import { resolveProject, SHARED_SCOPE } from '../projects/projects.ts'
import { type ReadError, readError } from '../remediations/read-error.ts'
import { describeSuccess } from '../remediations/remediation.ts'

export async function run(
  params: RemediationSaveParams,
  { host, workspace }: Context,
): Promise<ToolOutcome<RemediationSaveData>> {
  const { errorMessage, solution, stackTrace, severity, scope, context = {}, tags = [], projectPath } = params
  checkContext(context)
  checkSaid({ errorMessage, solution })
  // A path that is wrong is told, also where it would not be needed.
  const isOwn = scope === 'project'
  const project = isOwn || projectPath !== undefined ? resolveProject(projectPath, workspace) : undefined
  const error = readError({ message: errorMessage, stack: stackTrace, type: params.errorType })
  const errorType = params.errorType ?? error.type ?? 'error'
  const { remediation, isMerged } = await host.remediations.save(
    {
      ...(isOwn && project !== undefined ? { scope: project.scope, root: project.root } : { scope: SHARED_SCOPE }),
      errorMessage,
      errorType,
      solution,
      severity,
      context,
      tags,
      error,
    },
    host.clock.wallTime(),
  )
  const { id, createdAt } = remediation
  const data = {
    id,
    errorMessage,
    errorType,
    solution,
    scope,
    merged: isMerged,
    createdAt: new Date(createdAt).toISOString(),
  }
  const seen = isOwn ? 'this project sees it' : 'every project sees it'
  const text = isMerged
    ? `It is there already as ${id} (${describeSuccess(remediation)}).`
    : `Saved as ${id}; ${seen}. It matches by ${describeSigns(error)}.`
  return { data, text }
}

/** What it will be found again by, besides what it says. */
function describeSigns({ type, frames: { length } }: ReadError): string {
  const signs = [
    ...(type === undefined ? [] : [`type ${type}`]),
    ...(length === 0 ? [] : [`${length} ${length === 1 ? 'frame' : 'frames'}`]),
  ]
  return signs.length === 0 ? 'what it says' : signs.join(', ')
}
