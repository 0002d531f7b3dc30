import type { ToolOutcome } from '@switchboard/toolkit'
import { explainEmpty } from '../answers/explain-empty.ts'
import { formatHits } from '../answers/format-hits.ts'
import type { RemediationSearchData, RemediationSearchParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { SHARED_SCOPE, scopesOf } from '../projects/projects.ts'
import { type FoundRemediation, findRemediations } from '../remediations/find-remediations.ts'
import type { Match } from '../remediations/match-error.ts'
import { readError } from '../remediations/read-error.ts'
import { describeSuccess } from '../remediations/remediation.ts'

/** The solutions of the first are told whole: that is what was asked for. */
const WHOLE = 1
const MAX_SOLUTION = 160

export async function run(
  { errorMessage, stackTrace, limit, minScore, tags = [] }: RemediationSearchParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<RemediationSearchData>> {
  const space = await host.space('remediations')
  const error = readError({ message: errorMessage, stack: stackTrace })
  const wanted = { scopes: scopesOf(workspace), limit, minScore, tags, signal }
  const { found, below, searched, note } = await findRemediations(host.finder, space, error, wanted)
  const data = {
    results: found.map(toResult),
    query: errorMessage,
    total: found.length,
    ...(note === undefined ? {} : { note }),
  }
  if (found.length === 0) {
    const filters = tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]
    const next = 'When it is solved, save it with remediation_save.'
    // Other words would be another error.
    const advice = tags.length === 0 ? { next, otherwise: next } : { next }
    const empty = explainEmpty({ what: 'remediations', searched, belowScore: below, filters, ...advice })
    return { data, text: note === undefined ? empty : `${empty}\n${note}` }
  }
  const shown = found.map(({ remediation, match }, index) => ({
    id: remediation.id,
    // Of a whole trace the line that says it.
    title: readError({ message: remediation.errorMessage }).message,
    why: [...explain(match), describeSuccess(remediation)].join(', '),
    more:
      index < WHOLE
        ? remediation.solution.split('\n')
        : [remediation.solution.slice(0, MAX_SOLUTION).split('\n').join(' ')],
  }))
  return { data, text: formatHits(shown, host.clock.wallTime(), note) }
}

function explain({ score, isSameType, frames, sharedFrames }: Match): string[] {
  return [
    `score ${score.toFixed(2)}`,
    ...(isSameType ? ['same type'] : []),
    ...(sharedFrames > 0 ? [`${sharedFrames} of ${frames} frames`] : []),
  ]
}

function toResult({ remediation, match }: FoundRemediation): RemediationSearchData['results'][number] {
  const { id, errorMessage, errorType, solution, severity, scope, tags, context, worked, failed, createdAt } =
    remediation
  const round = (value: number): number => Math.round(100 * value) / 100
  return {
    ...{ id, errorMessage, errorType, solution, severity, tags, context, worked, failed },
    scope: scope === SHARED_SCOPE ? 'shared' : 'project',
    matchScore: round(match.score),
    semanticScore: round(match.semantic),
    stringScore: round(match.letters),
    stackTraceMatch: match.isStackShared,
    errorTypeMatch: match.isSameType,
    createdAt: new Date(createdAt).toISOString(),
  }
}
