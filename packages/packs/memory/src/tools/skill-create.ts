import type { ToolOutcome } from '@switchboard/toolkit'
import type { SkillCreateData, SkillCreateParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

export async function run(
  { name, prerequisites = [], expectedOutcome = '', tags = [], metadata = {}, ...text }: SkillCreateParams,
  { host }: Context,
): Promise<ToolOutcome<SkillCreateData>> {
  const skill = await host.skills.create({ ...text, title: name, prerequisites, expectedOutcome, tags, metadata })
  const { id, name: called, version, content, createdAt } = skill
  const data = {
    id,
    name: called,
    version,
    tokenCount: Math.ceil(content.length / 4),
    createdAt: new Date(createdAt).toISOString(),
  }
  return {
    data,
    text: `Created the skill ${called} ${version}, id ${id}. Every window has it now, also as the prompt ${called}.`,
  }
}
