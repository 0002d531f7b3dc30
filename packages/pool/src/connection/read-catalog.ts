/** Reads all that a server offers, every list paged to its end or to its bound. */
import {
  type CacheHint,
  type Catalog,
  type CatalogPart,
  combineCacheHints,
  isJsonObject,
  JSON_RPC_ERROR,
  type JsonObject,
} from '@switchboard/protocol'
import { readUpstreamRpcError, SwitchboardError } from '@switchboard/protocol/errors'
import type { Prompt, Resource, ResourceTemplate, Tool } from '@switchboard/protocol/mcp'
import {
  BoundedList,
  type CatalogList,
  MAX_CURSOR_CHARACTERS,
  MAX_INSTRUCTIONS_CHARACTERS,
  MAX_PAGES,
} from './catalog-bounds.ts'
import type { Connection } from './connection.ts'

export interface CatalogSource {
  readonly capabilities: JsonObject
  readonly instructions: string
}

/** `missing`: what of each list was left out, as sentences. */
export interface CatalogReading {
  readonly catalog: Catalog
  readonly missing: readonly string[]
}

interface Reading {
  readonly connection: Connection
  readonly timeout: number
  readonly hints: CacheHint[]
  readonly missing: string[]
}

export async function readCatalog(
  connection: Connection,
  source: CatalogSource,
  timeout: number,
): Promise<CatalogReading> {
  const { capabilities } = source
  const offers = (name: string): boolean => isJsonObject(capabilities[name])
  const reading: Reading = { connection, timeout, hints: [], missing: [] }
  const [tools, resources, templates, prompts] = await Promise.all([
    offers('tools') ? readTools(reading) : [],
    offers('resources') ? readResources(reading) : [],
    offers('resources') ? readTemplates(reading) : [],
    offers('prompts') ? readPrompts(reading) : [],
  ])
  const instructions = source.instructions.slice(0, MAX_INSTRUCTIONS_CHARACTERS)
  if (instructions.length < source.instructions.length)
    reading.missing.push(`instructions are cut after ${MAX_INSTRUCTIONS_CHARACTERS} characters`)
  const cache = combineCacheHints(reading.hints)
  const lists = { tools, resources, templates, prompts }
  return {
    catalog: { ...lists, instructions, capabilities, ...(cache === undefined ? {} : { cache }) },
    missing: reading.missing,
  }
}

/** The lists of those parts again; the rest stays as it was. */
export async function readCatalogParts(
  connection: Connection,
  before: Catalog,
  parts: readonly CatalogPart[],
  timeout: number,
): Promise<CatalogReading> {
  const reading: Reading = { connection, timeout, hints: [], missing: [] }
  let catalog = before
  if (parts.includes('tools')) catalog = { ...catalog, tools: await readTools(reading) }
  if (parts.includes('prompts')) catalog = { ...catalog, prompts: await readPrompts(reading) }
  if (parts.includes('resources')) {
    const [resources, templates] = await Promise.all([readResources(reading), readTemplates(reading)])
    catalog = { ...catalog, resources, templates }
  }
  return { catalog, missing: reading.missing }
}

function readHint({ ttlMs, cacheScope }: JsonObject): CacheHint | undefined {
  if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) return undefined
  return { ttlMs, cacheScope: cacheScope === 'public' ? 'public' : 'private' }
}

async function readTools(reading: Reading): Promise<Tool[]> {
  const entries = await readPages(reading, 'tools/list', 'tools', 'name', 'nothing')
  // What a server lists is passed on as it is; only what could not be called at all is left out.
  return entries.filter((tool): tool is Tool => isJsonObject(tool.inputSchema))
}

async function readResources(reading: Reading): Promise<Resource[]> {
  return (await readPages(reading, 'resources/list', 'resources', 'uri', 'unknown method')) as Resource[]
}

async function readTemplates(reading: Reading): Promise<ResourceTemplate[]> {
  const list = 'resourceTemplates'
  const entries = await readPages(reading, 'resources/templates/list', list, 'uriTemplate', 'any error')
  return entries as ResourceTemplate[]
}

async function readPrompts(reading: Reading): Promise<Prompt[]> {
  return (await readPages(reading, 'prompts/list', 'prompts', 'name', 'unknown method')) as Prompt[]
}

/** Which errors mean no more than an empty list: some servers declare what they do not have. Without its tools a server is useless. */
type Forgiveness = 'nothing' | 'unknown method' | 'any error'

function isForgiven(error: unknown, forgives: Forgiveness): boolean {
  if (forgives === 'nothing' || !(error instanceof SwitchboardError) || error.code !== 'upstream_error') return false
  return forgives === 'any error' || readUpstreamRpcError(error)?.code === JSON_RPC_ERROR.methodNotFound
}

async function readPages(
  { connection, timeout, hints, missing }: Reading,
  method: string,
  member: CatalogList,
  key: string,
  forgives: Forgiveness,
): Promise<JsonObject[]> {
  const list = new BoundedList(member, key)
  const seen = new Set<string>()
  // All pages share the time of one: a server that always has another page has no more of it than one that is slow.
  const deadline = connection.now() + timeout
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const left = Math.max(1, deadline - connection.now())
    let result: JsonObject
    try {
      result = await connection.request(method, cursor === undefined ? {} : { cursor }, { timeout: left })
    } catch (error) {
      if (page === 0 && isForgiven(error, forgives)) return []
      throw error
    }
    const hint = readHint(result)
    if (hint !== undefined) hints.push(hint)
    const entries = result[member]
    if (!Array.isArray(entries)) {
      throw new SwitchboardError('bad_response', `The answer to ${method} holds no list "${member}"`)
    }
    const isFull = !entries.every((entry) => !isJsonObject(entry) || list.add(entry))
    if (isFull || typeof result.nextCursor !== 'string' || result.nextCursor === '') return finish(list, missing)
    cursor = result.nextCursor
    if (cursor.length > MAX_CURSOR_CHARACTERS)
      throw new SwitchboardError('bad_response', `A cursor of ${method} has ${cursor.length} characters`)
    if (seen.has(cursor)) throw new SwitchboardError('bad_response', `The pages of ${method} run in a circle`)
    seen.add(cursor)
  }
  list.cut(`all beyond ${MAX_PAGES} pages`)
  return finish(list, missing)
}

function finish(list: BoundedList, missing: string[]): JsonObject[] {
  if (list.missing !== undefined) missing.push(list.missing)
  return list.entries
}
