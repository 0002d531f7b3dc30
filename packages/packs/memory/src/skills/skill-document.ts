/** A skill as its `SKILL.md`: front matter as the format of skills has it, then the content. */
import { createHash } from 'node:crypto'
import type { JsonObject } from '@switchboard/protocol'
import type { Skill } from './skill.ts'

/** The format allows no longer one. */
const MAX_DESCRIPTION = 1_024

export interface SkillDocument {
  readonly uri: string
  readonly frontmatter: JsonObject
  readonly text: string
  /** Of the bytes of the text. */
  readonly digest: string
  readonly size: number
}

export function toSkillUri(name: string): string {
  return `skill://${name}/SKILL.md`
}

/** Undefined: it is no such URI. */
export function readSkillUri(uri: string): string | undefined {
  return /^skill:\/\/([a-z0-9-]{1,64})\/SKILL\.md$/.exec(uri)?.[1]
}

export function createSkillDocument(skill: Skill): SkillDocument {
  const { name, description, version, author, category, content, tags, metadata } = skill
  const own = { version, author, category, ...(tags.length === 0 ? {} : { tags: tags.join(', ') }) }
  const frontmatter = {
    name,
    description: description.length > MAX_DESCRIPTION ? `${description.slice(0, MAX_DESCRIPTION - 1)}…` : description,
    metadata: { ...metadata, ...own },
  }
  const text = `---\n${toYaml(frontmatter)}---\n\n${content.endsWith('\n') ? content : `${content}\n`}`
  const bytes = Buffer.from(text)
  return {
    uri: toSkillUri(name),
    frontmatter,
    text,
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    size: bytes.length,
  }
}

/** Texts of JSON are texts of YAML: nothing in a description can end the front matter. */
function toYaml({
  name,
  description,
  metadata,
}: {
  name: string
  description: string
  metadata: Record<string, string>
}): string {
  const entries = Object.entries(metadata).map(([key, value]) => `  ${quote(key)}: ${quote(value)}\n`)
  return `name: ${quote(name)}\ndescription: ${quote(description)}\nmetadata:\n${entries.join('')}`
}

/** What JSON leaves as it is and YAML does not take. */
function quote(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
