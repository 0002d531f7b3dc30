import type { ToolOutcome } from '@switchboard/toolkit'
import type { SkillDeleteData, SkillDeleteParams } from '../generated/types.ts'
import type { Context } from '../host.ts'

export async function run({ id }: SkillDeleteParams, { host }: Context): Promise<ToolOutcome<SkillDeleteData>> {
  const { skill, versions } = await host.skills.remove(id)
  const { name, version, uses, content } = skill
  const lost = versions === 1 ? 'its only version' : `all of its ${versions} versions`
  const message = `Deleted the skill ${name} ${version} (${content.length} characters) with ${lost} and the count of ${uses} uses. This cannot be undone.`
  return { data: { id: skill.id, message }, text: message }
}
