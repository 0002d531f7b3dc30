/**
 * By what a skill is called: as a prompt, and as the folder of its `SKILL.md`. The format of skills wants small letters, digits and
 * single hyphens, at most 64. Whoever writes "Deploy to staging" means `deploy-to-staging`.
 */
import { ToolError } from '@switchboard/toolkit'

const MAX_CHARACTERS = 64

/** Throws a ToolError. */
export function toSkillName(title: string): string {
  const name = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
  const cut = name.slice(0, MAX_CHARACTERS)
  if (cut !== '') return cut.endsWith('-') ? cut.slice(0, -1) : cut
  throw new ToolError('E_SKILL_NAME_INVALID', `"${title}" has no letter of a to z and no digit to make a name of`)
}

/** As `toSkillName` and `freeNameLike` make them. */
export function isSkillName(name: string): boolean {
  return name.length <= MAX_CHARACTERS && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
}

/** `deploy-2` where `deploy` is taken. */
export function freeNameLike(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number++) {
    const ending = `-${number}`
    const free = `${name.slice(0, MAX_CHARACTERS - ending.length)}${ending}`
    if (!taken.has(free)) return free
  }
}
