/**
 * Ids of what is stored: 60 random bits in letters that nobody confuses, so that none can be guessed and an agent pays for few.
 * A tool takes a beginning as well, where only one begins so. What a caller may not see is not there, whatever id it gives.
 */
import { randomBytes } from 'node:crypto'
import type { Space, StoredItem } from '@switchboard/store'
import { ToolError } from '@switchboard/toolkit'

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const LENGTH = 12
/** A shorter beginning is a guess. */
const LEAST_BEGINNING = 4
const PAGE = 200
/** So many of the newest are compared with a beginning. */
const MAX_COMPARED = 2_000

export function createId(): string {
  return Array.from(randomBytes(LENGTH), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
}

/** What of a kind a caller may see. */
interface Sight {
  readonly scopes: readonly string[]
  readonly kind: string
  readonly signal?: AbortSignal | undefined
}

/** Throws a ToolError: there is none, or more than one. */
export async function findById(space: Space, given: string, options: Sight): Promise<StoredItem> {
  const { scopes, kind, signal } = options
  const id = given.trim()
  const item = await space.get(id, { signal })
  if (item !== undefined && item.kind === kind && scopes.includes(item.scope)) return item
  const matches = id.length < LEAST_BEGINNING ? [] : await listBeginning(space, id, options)
  const [first, ...others] = matches
  if (first === undefined) throw new ToolError('E_ID_NOT_FOUND', `There is no ${kind} ${id} that you may see`)
  if (others.length === 0) return first
  throw new ToolError('E_ID_AMBIGUOUS', `${matches.length} ${kind}s begin with ${id}`, {
    details: { ids: matches.slice(0, 5).map((match) => match.id) },
  })
}

async function listBeginning(space: Space, id: string, { scopes, kind, signal }: Sight): Promise<StoredItem[]> {
  const matches: StoredItem[] = []
  for (let offset = 0; offset < MAX_COMPARED; offset += PAGE) {
    const { items } = await space.list({ scopes, kinds: [kind], limit: PAGE, offset }, { signal })
    matches.push(...items.filter((item) => item.id.startsWith(id)))
    if (items.length < PAGE) break
  }
  return matches
}
