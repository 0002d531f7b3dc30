import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { SkillUpdateData, SkillUpdateParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

export async function run(
  { id, name, ...change }: SkillUpdateParams,
  { host }: Context,
): Promise<ToolOutcome<SkillUpdateData>> {
  if (name === undefined && Object.keys(change).length === 0) {
    throw new ToolError('E_NOTHING_TO_CHANGE', 'Nothing but the id was given')
  }
  const before = await host.skills.get(id)
  const skill = await host.skills.update(before.id, { ...change, title: name })
  const data = {
    id: skill.id,
    name: skill.name,
    version: skill.version,
    updatedAt: new Date(skill.updatedAt).toISOString(),
  }
  const kept =
    skill.version === before.version ? '' : ` Version ${before.version} is kept: skill_apply gives it by its version.`
  return { data, text: `Changed the skill ${skill.name}, which has version ${skill.version} now.${kept}` }
}
