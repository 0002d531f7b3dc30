import type { ToolOutcome } from '@switchboard/toolkit'
import type { SkillFeedbackData, SkillFeedbackParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { describeSuccess, successRateOf } from '../skills/skill.ts'

export async function run(
  { useId, success }: SkillFeedbackParams,
  { host }: Context,
): Promise<ToolOutcome<SkillFeedbackData>> {
  const skill = await host.skills.tellOutcome(useId, success)
  const data = { id: skill.id, name: skill.name, usageCount: skill.uses, successRate: successRateOf(skill) }
  return { data, text: `Noted: ${skill.name} ${describeSuccess(skill)}.` }
}
