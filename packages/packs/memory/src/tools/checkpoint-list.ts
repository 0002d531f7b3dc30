import type { ToolOutcome } from '@switchboard/toolkit'
import { formatHits } from '../answers/format-hits.ts'
import { CHECKPOINT, readCheckpoint } from '../checkpoints/checkpoint.ts'
import type { CheckpointListData, CheckpointListParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { resolveProject } from '../projects/projects.ts'

export async function run(
  { limit, offset, sortBy, projectPath }: CheckpointListParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<CheckpointListData>> {
  const { scope } = resolveProject(projectPath, workspace)
  const space = await host.space('checkpoints')
  const page = await space.list({ scopes: [scope], kinds: [CHECKPOINT], sortBy, limit, offset }, { signal })
  const found = page.items.map(readCheckpoint)
  const checkpoints = found.map(({ id, summary, tags, root, createdAt, updatedAt }) => ({
    id,
    summary,
    tags,
    projectPath: root,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }))
  const data = { checkpoints, total: page.total, limit, offset }
  if (found.length === 0) return { data, text: explain(page.total, offset) }
  const shown = found.map(({ id, summary, createdAt }) => ({ id, title: summary, at: createdAt }))
  const rest = page.total - offset - found.length
  const note = rest > 0 ? `${rest} more: offset ${offset + found.length}` : undefined
  return { data, text: formatHits(shown, host.clock.wallTime(), note) }
}

function explain(total: number, offset: number): string {
  if (total > 0) return `There are ${total} checkpoints, none behind offset ${offset}.`
  return 'No checkpoints are stored for this project yet. Save one with checkpoint_save.'
}
