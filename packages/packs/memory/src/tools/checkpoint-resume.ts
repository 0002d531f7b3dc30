import type { Space, StoredItem } from '@switchboard/store'
import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { CHECKPOINT, readCheckpoint } from '../checkpoints/checkpoint.ts'
import { showCheckpoint } from '../checkpoints/show-checkpoint.ts'
import type { CheckpointResumeData, CheckpointResumeParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { findById } from '../ids.ts'
import { resolveProject } from '../projects/projects.ts'

export async function run(
  { id, level, projectPath }: CheckpointResumeParams,
  { host, workspace, signal }: Context,
): Promise<ToolOutcome<CheckpointResumeData>> {
  const { scope } = resolveProject(projectPath, workspace)
  const space = await host.space('checkpoints')
  const item =
    id === undefined
      ? await findLatest(space, scope, signal)
      : await findById(space, id, { scopes: [scope], kind: CHECKPOINT, signal })
  const checkpoint = readCheckpoint(item)
  const { summary, description, context, facts, root, tags, createdAt } = checkpoint
  const data = {
    id: checkpoint.id,
    level,
    summary,
    ...(level === 'full' ? { description } : {}),
    ...(level === 'summary' ? {} : { context }),
    facts: { ...facts },
    projectPath: root,
    tags,
    createdAt: new Date(createdAt).toISOString(),
  }
  return { data, text: showCheckpoint(checkpoint, level, host.clock.wallTime()) }
}

async function findLatest(space: Space, scope: string, signal: AbortSignal): Promise<StoredItem> {
  const { items } = await space.list({ scopes: [scope], kinds: [CHECKPOINT], limit: 1 }, { signal })
  const [latest] = items
  if (latest !== undefined) return latest
  throw new ToolError('E_CHECKPOINT_NOT_FOUND', 'No checkpoints are stored for this project yet')
}
