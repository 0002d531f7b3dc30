/** A version of a skill that another has taken the place of, as the store has it: no search finds it. */
import type { Item } from '@switchboard/store'
import type { Skill } from './skill.ts'

export const VERSION_KIND = 'version'

const PREFIX = 'history:'

/** Of no project: whoever lists skills names other scopes. */
export function historyScope(skill: string): string {
  return `${PREFIX}${skill}`
}

/** The id of the skill whose it is; undefined: it is no such version. */
export function skillOf({ id, kind, scope, data }: Pick<Item, 'id' | 'kind' | 'scope' | 'data'>): string | undefined {
  if (kind !== VERSION_KIND || !scope.startsWith(PREFIX)) return undefined
  const skill = scope.slice(PREFIX.length)
  const { version, content } = data
  const isWhole = typeof version === 'string' && typeof content === 'string' && id === `${skill}:${version}`
  return isWhole ? skill : undefined
}

export function toPastVersion({ id, version, content, description, title }: Skill, replacedAt: number): Item {
  return {
    id: `${id}:${version}`,
    kind: VERSION_KIND,
    scope: historyScope(id),
    text: '',
    tags: [],
    data: { version, content, description, title },
    createdAt: replacedAt,
    updatedAt: replacedAt,
  }
}
