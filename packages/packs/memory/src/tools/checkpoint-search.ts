import type { ToolOutcome } from '@switchboard/toolkit'
import { explainEmpty } from '../answers/explain-empty.ts'
import { explainMatch, formatHits } from '../answers/format-hits.ts'
import { scoreOf } from '../answers/score.ts'
import { CHECKPOINT, readCheckpoint } from '../checkpoints/checkpoint.ts'
import type { CheckpointSearchData, CheckpointSearchParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { resolveProject } from '../projects/projects.ts'

export async function run(
  { query, topK, tags = [], projectPath }: CheckpointSearchParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<CheckpointSearchData>> {
  const { scope } = resolveProject(projectPath, workspace)
  const space = await host.space('checkpoints')
  const wanted = { scopes: [scope], kinds: [CHECKPOINT], tags, text: query, limit: topK, signal }
  const { hits, searched, note } = await host.finder.find(space, wanted)
  const found = hits.map((hit) => ({ hit, checkpoint: readCheckpoint(hit.item) }))
  const results = found.map(({ hit, checkpoint }) => ({
    id: checkpoint.id,
    summary: checkpoint.summary,
    description: checkpoint.description,
    projectPath: checkpoint.root,
    context: checkpoint.context,
    tags: checkpoint.tags,
    score: scoreOf(hit),
    matched: hit.matched,
    createdAt: new Date(checkpoint.createdAt).toISOString(),
  }))
  const shown = found.map(({ hit, checkpoint }) => ({
    id: checkpoint.id,
    title: checkpoint.summary,
    at: checkpoint.createdAt,
    why: explainMatch(hit),
  }))
  const filters = tags.length === 0 ? [] : [`tags: ${tags.join(', ')}`]
  const text =
    shown.length === 0
      ? [explainEmpty({ what: 'checkpoints', searched, filters, next: 'Save one with checkpoint_save.' }), note ?? '']
          .join('\n')
          .trimEnd()
      : formatHits(shown, host.clock.wallTime(), note)
  return { data: { results, query, topK, ...(note === undefined ? {} : { note }) }, text }
}
