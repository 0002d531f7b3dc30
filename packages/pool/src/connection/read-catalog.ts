/** Reads all that a server offers, every list paged to its end. */
import {
  type CacheHint,
  type Catalog,
  isJsonObject,
  JSON_RPC_ERROR,
  type JsonObject,
  type Prompt,
  type Resource,
  type ResourceTemplate,
  readUpstreamRpcError,
  SwitchboardError,
  type Tool,
} from '@switchboard/protocol'
import type { Connection } from './connection.ts'

/** A server that pages for ever is stopped here. */
const MAX_PAGES = 1000

export interface CatalogSource {
  readonly capabilities: JsonObject
  readonly instructions: string
}

export async function readCatalog(connection: Connection, source: CatalogSource, timeout: number): Promise<Catalog> {
  const { capabilities, instructions } = source
  const offers = (name: string): boolean => isJsonObject(capabilities[name])
  const hints: CacheHint[] = []
  const [tools, resources, templates, prompts] = await Promise.all([
    offers('tools') ? readTools(connection, timeout, hints) : [],
    offers('resources') ? readResources(connection, timeout, hints) : [],
    offers('resources') ? readTemplates(connection, timeout, hints) : [],
    offers('prompts') ? readPrompts(connection, timeout, hints) : [],
  ])
  const cache = combineHints(hints)
  return { tools, resources, templates, prompts, instructions, capabilities, ...(cache === undefined ? {} : { cache }) }
}

/** The shortest time, and private if any of them is. */
function combineHints([first, ...others]: readonly CacheHint[]): CacheHint | undefined {
  if (first === undefined) return undefined
  return others.reduce<CacheHint>(
    (combined, { ttlMs, cacheScope }) => ({
      ttlMs: Math.min(combined.ttlMs, ttlMs),
      cacheScope: combined.cacheScope === 'private' ? 'private' : cacheScope,
    }),
    first,
  )
}

function readHint({ ttlMs, cacheScope }: JsonObject): CacheHint | undefined {
  if (typeof ttlMs !== 'number' || !(ttlMs >= 0)) return undefined
  return { ttlMs, cacheScope: cacheScope === 'public' ? 'public' : 'private' }
}

export async function readTools(connection: Connection, timeout: number, hints: CacheHint[] = []): Promise<Tool[]> {
  const entries = await readPages(connection, 'tools/list', 'tools', 'name', timeout, 'nothing', hints)
  // What a server lists is passed on as it is; only what could not be called at all is left out.
  return entries.filter((tool): tool is Tool => isJsonObject(tool.inputSchema))
}

export async function readResources(
  connection: Connection,
  timeout: number,
  hints: CacheHint[] = [],
): Promise<Resource[]> {
  const entries = await readPages(connection, 'resources/list', 'resources', 'uri', timeout, 'unknown method', hints)
  return entries as Resource[]
}

export async function readTemplates(
  connection: Connection,
  timeout: number,
  hints: CacheHint[] = [],
): Promise<ResourceTemplate[]> {
  return (await readPages(
    connection,
    'resources/templates/list',
    'resourceTemplates',
    'uriTemplate',
    timeout,
    'any error',
    hints,
  )) as ResourceTemplate[]
}

export async function readPrompts(connection: Connection, timeout: number, hints: CacheHint[] = []): Promise<Prompt[]> {
  return (await readPages(connection, 'prompts/list', 'prompts', 'name', timeout, 'unknown method', hints)) as Prompt[]
}

/** Which errors mean no more than an empty list: some servers declare what they do not have. Without its tools a server is useless. */
type Forgiveness = 'nothing' | 'unknown method' | 'any error'

function isForgiven(error: unknown, forgives: Forgiveness): boolean {
  if (forgives === 'nothing' || !(error instanceof SwitchboardError) || error.code !== 'upstream_error') return false
  return forgives === 'any error' || readUpstreamRpcError(error)?.code === JSON_RPC_ERROR.methodNotFound
}

async function readPages(
  connection: Connection,
  method: string,
  member: string,
  key: string,
  timeout: number,
  forgives: Forgiveness,
  hints: CacheHint[],
): Promise<JsonObject[]> {
  const entries = new Map<string, JsonObject>()
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    let result: JsonObject
    try {
      result = await connection.request(method, cursor === undefined ? {} : { cursor }, { timeout })
    } catch (error) {
      if (page === 0 && isForgiven(error, forgives)) return []
      throw error
    }
    const hint = readHint(result)
    if (hint !== undefined) hints.push(hint)
    const list = result[member]
    if (!Array.isArray(list)) {
      throw new SwitchboardError('bad_response', `The answer to ${method} holds no list "${member}"`)
    }
    for (const entry of list) {
      const name = isJsonObject(entry) ? entry[key] : undefined
      // Models refuse a list with a name twice as a whole, and the second could not be called anyway.
      if (typeof name === 'string' && !entries.has(name)) entries.set(name, entry)
    }
    if (typeof result.nextCursor !== 'string' || result.nextCursor === '') return [...entries.values()]
    cursor = result.nextCursor
    if (seen.has(cursor)) throw new SwitchboardError('bad_response', `The pages of ${method} run in a circle`)
    seen.add(cursor)
  }
  throw new SwitchboardError('bad_response', `${method} has more than ${MAX_PAGES} pages`)
}
