/**
 * What is remembered as lines of JSON, to be kept elsewhere and taken back: page by page, so that no amount of it has to be in
 * memory. A line is an item without what only this store knows of it.
 */
import { readCount, readOptionalText, readOptionalTexts } from '@switchboard/config/arguments'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Item, isItemTime, type Space, type StoredItem } from '@switchboard/store'
import { type PersonCall, ToolError } from '@switchboard/toolkit'
import type { Host } from '../host.ts'
import { LIMITS } from '../limits.ts'
import { type Project, resolveProject, SHARED_SCOPE } from '../projects/projects.ts'
import { hideSecrets } from '../secrets/hide-secrets.ts'
import { skillOf, VERSION_KIND } from '../skills/past-version.ts'
import { parseVersion } from '../skills/semantic-version.ts'
import { SKILL_KIND } from '../skills/skill.ts'
import { isSkillName } from '../skills/skill-name.ts'
import { isKind, KINDS, type Kind } from './kinds.ts'
import { readSelection } from './person-items.ts'

const PAGE = 200
const MAX_LINES = 1_000
/** Characters: several times what the largest of them has. */
const MAX_LINE = 2_000_000
const MAX_ID = 200
const MAX_SCOPE = 200

/** `cursor`: of the page before. Without one in the answer it was the last. */
export async function exportItems(host: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  const { kinds, scopes, tags } = readSelection(params, call)
  const [at = 0, after] = readCursor(readOptionalText(params, 'cursor', 'memory'))
  const kind = kinds[at]
  if (kind === undefined) return { lines: [] }
  const space = await host.space(KINDS[kind])
  const page = await space.walk(after, PAGE, { signal: call.signal })
  const isMeant = (item: StoredItem | undefined): boolean =>
    item?.kind === kind &&
    (scopes === 'all' || scopes.includes(item.scope)) &&
    tags.every((tag) => item.tags.includes(tag))
  const meant: StoredItem[] = []
  for (const item of page) {
    // What a skill was before goes with it.
    const skill = skillOf(item)
    if (isMeant(skill === undefined ? item : await space.get(skill, { signal: call.signal }))) meant.push(item)
  }
  const last = page.at(-1)
  // Only an empty page tells that it was all.
  const next = last === undefined ? [at + 1] : [at, last.id]
  const isOver = next[0] === kinds.length
  return {
    lines: meant.map(toLine),
    ...(isOver ? {} : { cursor: JSON.stringify(next) }),
  }
}

interface Problem {
  readonly line: number
  readonly problem: string
}

/** `first`: the number of the first of these lines in its file. Lines that are wrong are told, and the others are taken. */
export async function importItems(host: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  const lines = readOptionalTexts(params, 'lines', 'memory')
  if (lines.length > MAX_LINES) {
    throw new SwitchboardError('invalid_arguments', `At most ${MAX_LINES} lines are taken at once`)
  }
  const first = readCount(params, 'first', 'memory', { fallback: 1, most: Number.MAX_SAFE_INTEGER })
  const path = readOptionalText(params, 'project', 'memory')
  const project = path === undefined ? undefined : findProject(path)
  const problems: Problem[] = []
  const byKind = new Map<Kind, Item[]>()
  const names = new Map((await host.skills.all()).map(({ name, id }) => [name, id]))
  let masked = 0
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue
    const line = readLine(text)
    const read = typeof line === 'string' ? line : (claimName(names, line.item) ?? line)
    if (typeof read === 'string') {
      problems.push({ line: first + index, problem: read })
      continue
    }
    const { item, isMasked } = mask(moveTo(project, read.item))
    if (isMasked) masked++
    byKind.set(read.kind, [...(byKind.get(read.kind) ?? []), item])
  }
  const counts = { added: 0, replaced: 0, same: 0 }
  for (const [kind, items] of byKind) {
    const space = await host.space(KINDS[kind])
    await putItems(space, items, counts, call.signal)
    if (kind === 'skill') await host.skills.reload()
  }
  return { ...counts, masked, problems: problems.map((problem) => ({ ...problem })) }
}

/** No secret goes into the store by this way either. */
function mask(item: Item): { readonly item: Item; readonly isMasked: boolean } {
  const { text, tags, data } = item
  const { value, found } = hideSecrets({ text, tags, data })
  return { item: { ...item, ...value }, isMasked: found.size > 0 }
}

/** It must be there: a name that is mistyped would be a project that nobody ever opens. */
function findProject(path: string): Project {
  try {
    return resolveProject(path, undefined)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw new SwitchboardError('invalid_arguments', error.message, {
      hint: '--project takes the folder of a project on this machine.',
      cause: error,
    })
  }
}

async function putItems(
  space: Space,
  items: readonly Item[],
  counts: { added: number; replaced: number; same: number },
  signal: AbortSignal,
): Promise<void> {
  const changed: Item[] = []
  for (const item of items) {
    const known = await space.get(item.id, { signal })
    if (known !== undefined && toLine(known) === toLine(item)) {
      counts.same++
      continue
    }
    counts[known === undefined ? 'added' : 'replaced']++
    changed.push(item)
  }
  if (changed.length > 0) await space.put(changed)
}

function toLine({ id, kind, scope, text, tags, data, createdAt, updatedAt }: Item): string {
  return JSON.stringify({ kind, id, scope, text, tags, data, createdAt, updatedAt })
}

/** A text is what is wrong with it. */
function readLine(line: string): { kind: Kind; item: Item } | string {
  if (line.length > MAX_LINE) return `has ${line.length} characters, more than anything that an agent can save`
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is no JSON'
  }
  if (!isJsonObject(value)) return 'is no JSON object'
  if (value.switchboard === 'store' || typeof value.space === 'string') {
    return 'was written by `switchboard export`: `switchboard import` takes it in'
  }
  const { id, kind, scope, text, tags = [], data, createdAt, updatedAt } = value
  const isVersion = kind === VERSION_KIND
  if (typeof kind !== 'string' || !(isVersion || isKind(kind))) {
    return `kind must be one of ${[...Object.keys(KINDS), VERSION_KIND].join(', ')}`
  }
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID)
    return `id must be a text of at most ${MAX_ID} characters`
  if (typeof scope !== 'string' || scope === '' || scope.length > MAX_SCOPE) return 'scope must be a text'
  if (typeof text !== 'string') return 'text must be a text'
  const areTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.length <= LIMITS.tag)
  if (!areTags || tags.length > LIMITS.tags) return `tags must be at most ${LIMITS.tags} texts`
  if (!isJsonObject(data)) return 'data must be an object'
  if (!isItemTime(createdAt) || !isItemTime(updatedAt) || Math.min(createdAt, updatedAt) < 0)
    return 'createdAt and updatedAt must be milliseconds since 1970'
  const item = { id, kind, scope, text, tags, data, createdAt, updatedAt }
  if (kind === SKILL_KIND) return checkSkill(item) ?? { kind, item }
  if (isKind(kind)) return { kind, item }
  return skillOf(item) === undefined
    ? 'is no version of a skill: id, scope and data do not fit'
    : { kind: SKILL_KIND, item }
}

/** By its name it becomes a prompt and a folder, and by its version it is updated. Undefined: nothing is wrong. */
function checkSkill({ scope, data: { name, version, content } }: Item): string | undefined {
  if (scope !== SHARED_SCOPE) return `is a skill: its scope must be ${SHARED_SCOPE}`
  if (typeof name !== 'string' || !isSkillName(name)) return 'is a skill: its name must be as deploy-to-staging'
  if (typeof version !== 'string' || parseVersion(version) === undefined)
    return 'is a skill: its version must be as 1.0.0'
  return typeof content === 'string' ? undefined : 'is a skill: its content must be a text'
}

/** No two skills have the same name, and none has a past that is not there. Undefined: it may have what it has, or needs none. */
function claimName(names: Map<string, string>, item: Item): string | undefined {
  const { id, kind, data } = item
  const skill = skillOf(item)
  if (skill !== undefined) {
    return [...names.values()].includes(skill) ? undefined : `is a version of the skill ${skill}, which is not there`
  }
  if (kind !== SKILL_KIND || typeof data.name !== 'string') return undefined
  const owner = names.get(data.name)
  if (owner !== undefined && owner !== id) return `is a skill ${data.name}, and another, ${owner}, has that name`
  names.set(data.name, id)
  return undefined
}

/** What belongs to a project belongs to that one from here on; what all share stays so. */
function moveTo(project: Project | undefined, item: Item): Item {
  if (project === undefined || item.scope === SHARED_SCOPE || item.kind === VERSION_KIND) return item
  return { ...item, scope: project.scope, data: { ...item.data, root: project.root } }
}

function readCursor(text: string | undefined): [number?, string?] {
  if (text === undefined) return []
  try {
    const [at, after]: unknown[] = JSON.parse(text)
    if (typeof at === 'number') return typeof after === 'string' ? [at, after] : [at]
  } catch {
    // Told below.
  }
  throw new SwitchboardError('invalid_arguments', 'cursor must be that of the page before')
}
