/** A skill as the text that a person edits: what is said about it between two lines of `---`, then its content. */
import type { JsonObject } from '@switchboard/protocol'

/** As the memory answers with it. */
export interface ShownSkill {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly version: string
  readonly author: string
  readonly category: string
  readonly tags: readonly string[]
  readonly usageCount: number
  /** 0 to 1; null: nobody has told. */
  readonly successRate: number | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly content?: string
}

export type SkillFields = Pick<
  ShownSkill,
  'title' | 'description' | 'version' | 'author' | 'category' | 'tags' | 'content'
>

const FIELDS = ['title', 'description', 'version', 'author', 'category', 'tags'] as const
type Field = (typeof FIELDS)[number]
const REQUIRED: readonly Field[] = ['title', 'description', 'version', 'author', 'category']
const FENCE = '---'

export function formatSkillFile(skill: SkillFields): string {
  const lines = FIELDS.map((field) => {
    const value = field === 'tags' ? skill.tags.join(', ') : skill[field]
    return `${field}: ${quote(value)}`.trimEnd()
  })
  return [FENCE, ...lines, FENCE, '', `${skill.content?.trimEnd() ?? ''}`, ''].join('\n')
}

/** What the memory takes; or, as texts, what is wrong with it. */
export function parseSkillFile(text: string): JsonObject | readonly string[] {
  const lines = text
    .replaceAll('\r\n', '\n')
    .replace(/^\ufeff/, '')
    .split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  if (lines[first]?.trim() !== FENCE) return [`The first line must be ${FENCE}, as it was`]
  const end = lines.findIndex((line, index) => index > first && line.trim() === FENCE)
  if (end < 0) return [`What is said about the skill must end with a line ${FENCE}`]
  const values = new Map<Field, string>()
  const problems: string[] = []
  for (const line of lines.slice(first + 1, end)) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    const field = FIELDS.find((name) => name === line.slice(0, colon).trim())
    if (field === undefined) problems.push(`"${line.slice(0, 60)}" is none of ${FIELDS.join(', ')}`)
    else values.set(field, unquote(line.slice(colon + 1).trim()))
  }
  for (const field of REQUIRED) if ((values.get(field) ?? '') === '') problems.push(`${field} is missing`)
  const content = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  if (content === '') problems.push('there is no content below')
  if (problems.length > 0) return problems
  const tags = (values.get('tags') ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return { ...Object.fromEntries(values), tags, content: `${content}\n` }
}

/** On one line, whatever is in it. */
function quote(value: string): string {
  return /[\n\r]|^["\s]|\s$/.test(value) ? JSON.stringify(value) : value
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value
  try {
    const read: unknown = JSON.parse(value)
    return typeof read === 'string' ? read : value
  } catch {
    return value
  }
}
