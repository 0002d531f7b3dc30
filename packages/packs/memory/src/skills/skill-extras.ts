/**
 * Skills as prompts, and as resources of the Skills extension (SEP-2640): each a folder with one `SKILL.md`. The extension's own
 * methods answer with the digest of exactly the bytes that `resources/read` gives.
 */
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { GetPromptResult, ReadResourceResult } from '@switchboard/protocol/mcp'
import { type PackExtras, ToolError } from '@switchboard/toolkit'
import type { Skill } from './skill.ts'
import { createSkillDocument, readSkillUri, toSkillUri } from './skill-document.ts'
import type { SkillShelf } from './skill-shelf.ts'

const MIME_TYPE = 'text/markdown'
/** Of `skills/list`. */
const PAGE = 100

export function createSkillExtras(shelf: SkillShelf): PackExtras {
  return {
    prompts: () => shelf.known().map(({ name, title, description }) => ({ name, title, description })),
    resources: () =>
      shelf.known().map(({ name, title, description, size, digest, version, updatedAt }) => ({
        uri: toSkillUri(name),
        name,
        title,
        description,
        mimeType: MIME_TYPE,
        size,
        annotations: { lastModified: new Date(updatedAt).toISOString() },
        _meta: { 'io.modelcontextprotocol.skills/digest': digest, 'io.modelcontextprotocol.skills/version': version },
      })),
    extensions: { 'io.modelcontextprotocol/skills': {} },
    onDidChange: (listener) => shelf.onDidChange(() => listener(['prompts', 'resources'])),
    onDidUpdateResource: (listener) => shelf.onDidRewrite((name) => listener(toSkillUri(name))),
    async request(method, params) {
      switch (method) {
        case 'prompts/get':
          return getPrompt(shelf, params)
        case 'resources/read':
          return readDocument(shelf, params)
        case 'resources/subscribe':
        case 'resources/unsubscribe':
          return (await readDocument(shelf, params)) === undefined ? undefined : {}
        case 'skills/list':
          return listEntries(shelf, params)
        case 'skills/get':
          return getEntry(shelf, params)
        default:
          return undefined
      }
    },
  }
}

async function getPrompt(shelf: SkillShelf, { name }: JsonObject): Promise<GetPromptResult | undefined> {
  const skill = await findSkill(shelf, typeof name === 'string' ? name : undefined)
  if (skill === undefined) return undefined
  return {
    description: skill.description,
    messages: [{ role: 'user', content: { type: 'text', text: skill.content } }],
  }
}

async function readDocument(shelf: SkillShelf, { uri }: JsonObject): Promise<ReadResourceResult | undefined> {
  const skill = await findSkill(shelf, typeof uri === 'string' ? readSkillUri(uri) : undefined)
  if (skill === undefined) return undefined
  const document = createSkillDocument(skill)
  return { contents: [{ uri: document.uri, mimeType: MIME_TYPE, text: document.text }] }
}

async function listEntries(shelf: SkillShelf, { cursor }: JsonObject): Promise<JsonObject> {
  const names = (await shelf.all()).map(({ name }) => name)
  // A name, so that what comes and goes meanwhile moves nothing into another page.
  const from = typeof cursor === 'string' ? names.findIndex((name) => name > cursor) : 0
  const page = from === -1 ? [] : names.slice(from, from + PAGE)
  const skills = await Promise.all(page.map((name) => findSkill(shelf, name)))
  const last = page.at(-1)
  return {
    skills: skills.flatMap((skill) => (skill === undefined ? [] : [toEntry(skill)])),
    ...(last === undefined || last === names.at(-1) ? {} : { nextCursor: last }),
  }
}

async function getEntry(shelf: SkillShelf, { uri }: JsonObject): Promise<JsonObject> {
  const skill = await findSkill(shelf, typeof uri === 'string' ? readSkillUri(uri) : undefined)
  if (skill !== undefined) return { skill: toEntry(skill) }
  throw new SwitchboardError('unknown_resource', `There is no skill ${String(uri).slice(0, 200)}`, {
    hint: 'skills/list names those that are there.',
    details: { uri },
  })
}

function toEntry(skill: Skill): JsonObject {
  const { uri, frontmatter, digest, size } = createSkillDocument(skill)
  return { uri, frontmatter, resources: [{ uri, digest, size }] }
}

/** By exactly this name. */
async function findSkill(shelf: SkillShelf, name: string | undefined): Promise<Skill | undefined> {
  const known = name === undefined ? undefined : (await shelf.all()).find((skill) => skill.name === name)
  if (known === undefined) return undefined
  try {
    return await shelf.get(known.id)
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
