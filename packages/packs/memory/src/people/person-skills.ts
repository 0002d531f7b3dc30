/** Skills at a terminal: shown as the file that a person edits, and taken back from it. */
import { readOptionalText, readOptionalTexts, readText } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { ToolError } from '@switchboard/toolkit'
import type { Host } from '../host.ts'
import { LIMITS } from '../limits.ts'
import { nextPatch, parseVersion } from '../skills/semantic-version.ts'
import { type Skill, toData } from '../skills/skill.ts'

export async function listSkills(host: Host, params: JsonObject): Promise<JsonObject> {
  const tags = readOptionalTexts(params, 'tags', 'memory')
  const skills = (await host.skills.all()).filter((skill) => tags.every((tag) => skill.tags.includes(tag)))
  return { skills: skills.map(toData) }
}

/** With its content. */
export async function showSkill(host: Host, params: JsonObject): Promise<JsonObject> {
  const skill = await findSkill(host, readText(params, 'skill', 'memory'))
  return { skill: { ...toData(skill), content: skill.content } }
}

/** The versions that it had, the last first; what it is now is the first of them. */
export async function showHistory(host: Host, params: JsonObject): Promise<JsonObject> {
  const skill = await findSkill(host, readText(params, 'skill', 'memory'))
  const past = await host.skills.history(skill.id)
  return {
    skill: toData(skill),
    versions: [
      { version: skill.version, replacedAt: null },
      ...past.map(({ version, replacedAt }) => ({ version, replacedAt: new Date(replacedAt).toISOString() })),
    ],
  }
}

/** Made anew where no `skill` is named. What is wrong with it is told, and nothing is changed then. */
export async function saveSkill(host: Host, params: JsonObject): Promise<JsonObject> {
  const named = readOptionalText(params, 'skill', 'memory')
  const text = {
    title: readText(params, 'title', 'memory', LIMITS.skillName),
    description: readText(params, 'description', 'memory', LIMITS.skillDescription),
    content: readText(params, 'content', 'memory', LIMITS.skillContent),
    version: readText(params, 'version', 'memory'),
    author: readText(params, 'author', 'memory', LIMITS.skillName),
    category: readText(params, 'category', 'memory', LIMITS.skillName),
    tags: readTags(params),
  }
  if (named === undefined) {
    const skill = await host.skills.create({ ...text, prerequisites: [], expectedOutcome: '', metadata: {} })
    return { skill: toData(skill) }
  }
  const before = await findSkill(host, named)
  return { skill: toData(await host.skills.update(before.id, { ...text, version: raise(before, text) })) }
}

/** Who writes another content and leaves the version as it is means the next one. */
function raise(before: Skill, { version, content }: { version: string; content: string }): string {
  const old = version === before.version && content !== before.content ? parseVersion(version) : undefined
  return old === undefined ? version : nextPatch(old)
}

function readTags(params: JsonObject): string[] {
  const tags = readOptionalTexts(params, 'tags', 'memory')
  const isFine = tags.length <= LIMITS.tags && tags.every((tag) => tag !== '' && tag.length <= LIMITS.tag)
  if (isFine) return [...tags]
  throw new SwitchboardError(
    'invalid_arguments',
    `At most ${LIMITS.tags} tags of at most ${LIMITS.tag} characters can be given`,
  )
}

export async function deleteSkill(host: Host, params: JsonObject): Promise<JsonObject> {
  const { skill, versions } = await host.skills.remove((await findSkill(host, readText(params, 'skill', 'memory'))).id)
  return { skill: toData(skill), versions }
}

async function findSkill(host: Host, idOrName: string): Promise<Skill> {
  try {
    return await host.skills.get(idOrName)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    // Its own hint is for agents.
    throw new SwitchboardError('invalid_arguments', error.message, {
      hint: 'switchboard skill list shows those that are there.',
      cause: error,
    })
  }
}
