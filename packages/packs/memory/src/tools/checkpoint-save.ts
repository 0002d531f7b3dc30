import { estimateTokens } from '@switchboard/protocol'
import type { ToolOutcome } from '@switchboard/toolkit'
import { CHECKPOINT, describeFacts, textOfCheckpoint } from '../checkpoints/checkpoint.ts'
import { gatherFacts } from '../checkpoints/gather-facts.ts'
import type { CheckpointSaveData, CheckpointSaveParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { createId } from '../ids.ts'
import { checkContext, checkSaid } from '../limits.ts'
import { resolveProject } from '../projects/projects.ts'
import { hideSecrets } from '../secrets/hide-secrets.ts'

export async function run(params: CheckpointSaveParams, tool: Context): Promise<ToolOutcome<CheckpointSaveData>> {
  const { summary, description = '', projectPath, tags = [], context = {} } = params
  checkContext(context)
  checkSaid({ summary })
  const { host, workspace } = tool
  const { scope, root } = resolveProject(projectPath, workspace)
  // What others tell of themselves is judged as what the agent says is.
  const facts = hideSecrets(await gatherFacts(root, tool)).value
  const id = createId()
  const now = host.clock.wallTime()
  const text = textOfCheckpoint({ summary, description, context, facts })
  const space = await host.space('checkpoints')
  const stored = { summary, description, context, facts: { ...facts }, root }
  await space.put([{ id, kind: CHECKPOINT, scope, text, tags, data: stored, createdAt: now, updatedAt: now }])
  const known = describeFacts(facts, 80)
  const data = { id, summary, createdAt: new Date(now).toISOString(), tokenCount: estimateTokens(text) }
  return { data, text: `Saved as ${id}.${known === undefined ? '' : ` Added: ${known}.`}` }
}
