import type { ToolOutcome } from '@switchboard/toolkit'
import type { SkillApplyData, SkillApplyParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { describeSuccess, successRateOf } from '../skills/skill.ts'

export async function run({ id, version }: SkillApplyParams, { host }: Context): Promise<ToolOutcome<SkillApplyData>> {
  const { id: useId, skill } = await host.skills.use(id, version)
  const { name, content, prerequisites, expectedOutcome } = skill
  const data = {
    id: skill.id,
    useId,
    name,
    version: skill.version,
    content,
    prerequisites: [...prerequisites],
    expectedOutcome,
    usageCount: skill.uses,
    successRate: successRateOf(skill),
  }
  // What must be known comes first: the end of a long text is cut.
  const head = [
    `${name} ${skill.version} (${describeSuccess({ ...skill, uses: skill.uses - 1 })}). When it is done: skill_feedback {"useId": "${useId}", "success": true or false}.`,
    ...(prerequisites.length === 0 ? [] : [`It needs: ${prerequisites.join('; ')}.`]),
    ...(expectedOutcome === '' ? [] : [`Expected: ${expectedOutcome}`]),
  ]
  return { data, text: `${head.join('\n')}\n\n${content}` }
}
