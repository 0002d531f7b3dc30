/** A skill as it is stored, and as the store has it. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Item, StoredItem } from '@switchboard/store'
import { SHARED_SCOPE } from '../projects/projects.ts'

export const SKILL_KIND = 'skill'

export interface SkillText {
  /** As whoever made it wrote its name. */
  readonly title: string
  readonly description: string
  readonly content: string
  readonly version: string
  readonly author: string
  readonly category: string
  readonly prerequisites: readonly string[]
  readonly expectedOutcome: string
  readonly tags: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

export interface Skill extends SkillText {
  readonly id: string
  /** Its prompt, and its folder: no other skill has it. */
  readonly name: string
  readonly uses: number
  /** Of the uses of which was told how they ended. */
  readonly successes: number
  readonly failures: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** 0 to 1; null: nobody has told yet. */
export function successRateOf({ successes, failures }: Pick<Skill, 'successes' | 'failures'>): number | null {
  const told = successes + failures
  return told === 0 ? null : successes / told
}

/** `worked 3 of 4 times`, or that nobody has told. */
export function describeSuccess({ successes, failures, uses }: Pick<Skill, 'successes' | 'failures' | 'uses'>): string {
  const told = successes + failures
  if (told > 0) return `worked ${successes} of ${told} times`
  return uses === 0 ? 'not used yet' : `used ${uses} times, outcome not told`
}

export function toItem(skill: Skill): Item {
  const { id, createdAt, updatedAt, tags, ...rest } = skill
  const { title, description, category, content } = rest
  return {
    id,
    kind: SKILL_KIND,
    // Shared by design: what one project learned to do, another need not.
    scope: SHARED_SCOPE,
    text: [title, description, category, ...tags, content].join('\n'),
    tags: [...tags],
    data: { ...rest },
    createdAt,
    updatedAt,
  }
}

export function toSkill({ id, tags, data, createdAt, updatedAt }: StoredItem): Skill {
  const text = (key: string): string => (typeof data[key] === 'string' ? data[key] : '')
  const count = (key: string): number => (typeof data[key] === 'number' ? data[key] : 0)
  return {
    id,
    name: text('name'),
    title: text('title'),
    description: text('description'),
    content: text('content'),
    version: text('version'),
    author: text('author'),
    category: text('category'),
    prerequisites: readTexts(data.prerequisites),
    expectedOutcome: text('expectedOutcome'),
    tags,
    metadata: readMetadata(data.metadata),
    uses: count('uses'),
    successes: count('successes'),
    failures: count('failures'),
    createdAt,
    updatedAt,
  }
}

/** As the tools answer with it, without its content. */
export function toData(skill: Omit<Skill, 'content'>) {
  return {
    id: skill.id,
    name: skill.name,
    title: skill.title,
    description: skill.description,
    version: skill.version,
    author: skill.author,
    category: skill.category,
    prerequisites: [...skill.prerequisites],
    expectedOutcome: skill.expectedOutcome,
    tags: [...skill.tags],
    metadata: { ...skill.metadata },
    usageCount: skill.uses,
    successRate: successRateOf(skill),
    createdAt: new Date(skill.createdAt).toISOString(),
    updatedAt: new Date(skill.updatedAt).toISOString(),
  }
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}

function readMetadata(value: unknown): Record<string, string> {
  if (!isJsonObject(value)) return {}
  const texts = Object.entries(value as JsonObject).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(texts)
}
