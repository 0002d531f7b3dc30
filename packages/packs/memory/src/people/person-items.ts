/**
 * What is remembered, as the person sees it whose memory it is: of the project of the folder they stand in and what all projects
 * share, or of everything. Nothing here is for agents.
 */
import { readCount, readOptionalText, readOptionalTexts, readText } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Space, StoredItem } from '@switchboard/store'
import type { PersonCall } from '@switchboard/toolkit'
import type { Host } from '../host.ts'
import { resolveProject, SHARED_SCOPE } from '../projects/projects.ts'
import { KIND_NAMES, KINDS, type Kind, readKind, titleOf } from './kinds.ts'

export interface PersonSelection {
  readonly kinds: readonly Kind[]
  readonly scopes: readonly string[] | 'all'
  readonly tags: readonly string[]
  /** Of the project that is meant; undefined: all of them. */
  readonly project: string | undefined
}

const MAX_ROWS = 1_000
/** Of an id: fewer could be anything. */
const SHORTEST_ID = 4
/** Ids that begin alike and are not for people: versions and uses of a skill. */
const LOOK_AHEAD = 100

export function readSelection(params: JsonObject, { workspace }: PersonCall): PersonSelection {
  const kinds = readOptionalTexts(params, 'kinds', 'memory').map(readKind)
  const shared = { kinds: kinds.length === 0 ? KIND_NAMES : kinds, tags: readOptionalTexts(params, 'tags', 'memory') }
  if (params.all === true) return { ...shared, scopes: 'all', project: undefined }
  // As a window's own folder: one that is gone is still the name of what was remembered there.
  const { scope, root } = resolveProject(undefined, readOptionalText(params, 'project', 'memory') ?? workspace)
  return { ...shared, scopes: [scope, SHARED_SCOPE], project: root }
}

/** The newest first. */
export async function listItems(host: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  const selection = readSelection(params, call)
  const limit = readCount(params, 'limit', 'memory', { fallback: 50, most: MAX_ROWS })
  const { signal } = call
  const pages = await Promise.all(
    selection.kinds.map(async (kind) => {
      const space = await host.space(KINDS[kind])
      const { scopes, tags } = selection
      return space.list({ scopes, kinds: [kind], tags, sortBy: 'updatedAt', limit }, { signal })
    }),
  )
  const items = pages.flatMap((page) => page.items).sort((a, b) => b.updatedAt - a.updatedAt)
  return {
    ...describeSelection(selection),
    total: pages.reduce((sum, page) => sum + page.total, 0),
    items: items.slice(0, limit).map(toRow),
  }
}

/** The best of each kind in turn: scores of different kinds cannot be compared. */
export async function searchItems(host: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  const selection = readSelection(params, call)
  const limit = readCount(params, 'limit', 'memory', { fallback: 20, most: MAX_ROWS })
  const text = readText(params, 'query', 'memory')
  const { scopes, tags } = selection
  const answers = await Promise.all(
    selection.kinds.map(async (kind) => {
      const space = await host.space(KINDS[kind])
      return host.finder.find(space, { text, scopes, kinds: [kind], tags, limit, signal: call.signal })
    }),
  )
  const ranked = answers.flatMap(({ hits }) => hits.map((hit, rank) => ({ hit, rank })))
  ranked.sort((a, b) => a.rank - b.rank || b.hit.share - a.hit.share)
  const notes = [...new Set(answers.flatMap(({ note }) => (note === undefined ? [] : [note])))]
  return {
    ...describeSelection(selection),
    searched: answers.reduce((sum, { searched }) => sum + (searched ?? 0), 0),
    items: ranked.slice(0, limit).map(({ hit }) => ({ ...toRow(hit.item), matched: hit.matched, share: hit.share })),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

export async function showItem(host: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  const { item } = await findItem(host, readText(params, 'id', 'memory'), call)
  return { item: { ...toRow(item), text: item.text, data: item.data, revision: item.revision } }
}

/** All of them are found before one goes. */
export async function deleteItems(host: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  const found: Found[] = []
  for (const id of readOptionalTexts(params, 'ids', 'memory')) found.push(await findItem(host, id, call))
  const unique = [...new Map(found.map((one) => [one.item.id, one])).values()]
  if (params.isTrial !== true) {
    for (const { item, space, kind } of unique) {
      // A skill goes with its history.
      if (kind === 'skill') await host.skills.remove(item.id)
      else await space.remove([item.id])
    }
  }
  return { items: unique.map(({ item }) => toRow(item)) }
}

/** How much there is of each kind, in all projects. */
export async function countItems(host: Host, { signal }: PersonCall): Promise<JsonObject> {
  const counts = await Promise.all(
    KIND_NAMES.map(async (kind) => {
      const space = await host.space(KINDS[kind])
      return [kind, (await space.list({ scopes: 'all', kinds: [kind], limit: 0 }, { signal })).total] as const
    }),
  )
  return { kinds: Object.fromEntries(counts) }
}

interface Found {
  readonly kind: Kind
  readonly item: StoredItem
  readonly space: Space
}

/** By its id, or by as much of its beginning as no other has. */
async function findItem(host: Host, id: string, { signal }: PersonCall): Promise<Found> {
  if (id.length < SHORTEST_ID) {
    throw new SwitchboardError(
      'invalid_arguments',
      `"${id}" is too short for an id: give ${SHORTEST_ID} characters or more`,
    )
  }
  const found: Found[] = []
  for (const kind of KIND_NAMES) {
    const space = await host.space(KINDS[kind])
    const exact = await space.get(id, { signal })
    if (exact?.kind === kind) return { kind, item: exact, space }
    // What begins with it comes right after it.
    const near = await space.walk(id, LOOK_AHEAD, { signal })
    found.push(
      ...near.filter((item) => item.kind === kind && item.id.startsWith(id)).map((item) => ({ kind, item, space })),
    )
  }
  const [one, another] = found
  if (one === undefined) {
    throw new SwitchboardError('invalid_arguments', `Nothing that is remembered has the id ${id}`, {
      hint: 'switchboard memory list --all shows what there is.',
    })
  }
  if (another === undefined) return one
  throw new SwitchboardError('invalid_arguments', `${found.length} ids begin with ${id}`, {
    hint: `Give more of it: ${found
      .slice(0, 5)
      .map(({ item }) => item.id)
      .join(', ')}.`,
  })
}

function toRow(item: StoredItem): JsonObject {
  const { id, kind, scope, tags, createdAt, updatedAt, data } = item
  return {
    id,
    kind,
    title: titleOf(item),
    tags: [...tags],
    // Null: every project sees it.
    project: scope === SHARED_SCOPE ? null : typeof data.root === 'string' ? data.root : scope,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  }
}

function describeSelection({ project }: PersonSelection): JsonObject {
  return { project: project ?? null }
}
