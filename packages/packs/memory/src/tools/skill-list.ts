import type { ToolOutcome } from '@switchboard/toolkit'
import type { SkillListData, SkillListParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { describeSkill } from '../skills/describe-skill.ts'
import { successRateOf, toData } from '../skills/skill.ts'
import type { ShelvedSkill } from '../skills/skill-shelf.ts'

export async function run(
  { id, limit, offset, category, tags = [], sortBy }: SkillListParams,
  { host }: Context,
): Promise<ToolOutcome<SkillListData>> {
  if (id !== undefined) return listOne(id, { limit, offset }, host.skills)
  const all = await host.skills.all()
  const wanted = all
    .filter((skill) => category === undefined || skill.category === category)
    .filter((skill) => tags.every((tag) => skill.tags.includes(tag)))
    .sort((one, other) => ORDERS[sortBy](other) - ORDERS[sortBy](one))
  const shown = wanted.slice(offset, offset + limit)
  const data = { skills: shown.map(toData), total: wanted.length, limit, offset }
  if (all.length === 0) return { data, text: 'No skill was made yet: skill_create makes one.' }
  if (shown.length === 0)
    return { data, text: `None of ${all.length} skills is there with that category, tags and offset.` }
  const rest = wanted.length - offset - shown.length
  const more = rest > 0 ? `\n${rest} more: offset ${offset + shown.length}.` : ''
  return { data, text: `${shown.map(describeSkill).join('\n')}${more}` }
}

async function listOne(
  idOrName: string,
  page: { limit: number; offset: number },
  skills: Context['host']['skills'],
): Promise<ToolOutcome<SkillListData>> {
  const skill = await skills.get(idOrName)
  const history = await skills.history(skill.id)
  const versions = history.map(({ version, replacedAt }) => ({
    version,
    replacedAt: new Date(replacedAt).toISOString(),
  }))
  const before = versions.map(({ version }) => version).join(', ')
  return {
    data: { skills: [toData(skill)], total: 1, ...page, versions },
    text: `${describeSkill(skill)}\n${before === '' ? 'It has no older version.' : `Older versions, which skill_apply {id, version} gives: ${before}.`}`,
  }
}

/** The largest first. Of whom nobody told, half of the uses may have worked. */
const ORDERS: Readonly<Record<SkillListParams['sortBy'], (skill: ShelvedSkill) => number>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  usageCount: ({ uses }) => uses,
  successRate: (skill) => successRateOf(skill) ?? 0.5,
}
