import { toLine } from '../answers/format-hits.ts'
import { describeSuccess, type Skill } from './skill.ts'

const MAX_DESCRIPTION = 160

/** One line for a list that an agent chooses from. */
export function describeSkill(skill: Omit<Skill, 'content'>): string {
  const { name, version, description, category } = skill
  return `${name} ${version} [${category}] ${toLine(description, MAX_DESCRIPTION)} (${describeSuccess(skill)})`
}
