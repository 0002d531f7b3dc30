/**
 * How often a pattern was the answer, and whether it helped. Patterns themselves come with Switchboard: only this is stored. A
 * diagnosis is remembered for as long as somebody may tell how it went, and counts once.
 */
import type { Item, Space } from '@switchboard/store'
import { ToolError } from '@switchboard/toolkit'
import { createId } from '../ids.ts'
import { Turns } from '../turns.ts'

export interface Count {
  readonly uses: number
  readonly worked: number
  readonly failed: number
  /** Milliseconds since 1970. */
  readonly lastUsed: number | undefined
}

export const NO_COUNT: Count = { uses: 0, worked: 0, failed: 0, lastUsed: undefined }

const COUNT_KIND = 'count'
const SESSION_KIND = 'session'
/** Of all projects: what a pattern is worth is no secret of any of them. */
const SCOPE = 'counts'
const MAX_SESSIONS = 1_000
const PAGE = 200

export class PatternCounts {
  readonly #openSpace: () => Promise<Space>
  readonly #now: () => number
  readonly #turns = new Turns()

  constructor(openSpace: () => Promise<Space>, now: () => number) {
    this.#openSpace = openSpace
    this.#now = now
  }

  /** By the id of the pattern; of whom nothing was counted is not in it. */
  async read(signal?: AbortSignal): Promise<Map<string, Count>> {
    const space = await this.#openSpace()
    const counts = new Map<string, Count>()
    for (let offset = 0; ; offset += PAGE) {
      const page = { scopes: [SCOPE], kinds: [COUNT_KIND], limit: PAGE, offset }
      const { items } = await space.list(page, { signal })
      for (const { id, data } of items) counts.set(id.slice(COUNT_PREFIX.length), readCount(data))
      if (items.length < PAGE) return counts
    }
  }

  /** A diagnosis was given, with this pattern as its best. Resolves with the id by which its outcome is told. */
  begin(pattern: string | undefined): Promise<string> {
    return this.#turns.take(() => this.#begin(pattern))
  }

  async #begin(pattern: string | undefined): Promise<string> {
    const space = await this.#openSpace()
    const id = createId()
    await space.put([toItem(id, SESSION_KIND, pattern === undefined ? {} : { pattern }, this.#now())])
    if (pattern !== undefined) {
      await this.#change(space, pattern, (count) => ({ ...count, uses: count.uses + 1, lastUsed: this.#now() }))
    }
    const old = await space.list({ scopes: [SCOPE], kinds: [SESSION_KIND], limit: PAGE, offset: MAX_SESSIONS })
    if (old.items.length > 0) await space.remove(old.items.map((item) => item.id))
    return id
  }

  /** Which pattern was the best of a diagnosis of which nobody has told yet. Throws a ToolError. */
  end(session: string, didWork: boolean): Promise<string> {
    return this.#turns.take(() => this.#end(session, didWork))
  }

  async #end(session: string, didWork: boolean): Promise<string> {
    const space = await this.#openSpace()
    const item = await space.get(session)
    if (item?.kind !== SESSION_KIND) {
      throw new ToolError('E_SESSION_NOT_FOUND', `No diagnosis has the id ${session}, or it is long ago`)
    }
    const { pattern, worked } = item.data
    if (typeof worked === 'boolean') {
      throw new ToolError('E_FEEDBACK_EXISTS', `It was told before that this ${worked ? 'helped' : 'did not help'}`)
    }
    if (typeof pattern !== 'string') {
      throw new ToolError('E_NO_PATTERN', 'That diagnosis found no pattern of which could be told whether it helped')
    }
    await space.change(session, (stored) => ({ ...stored, data: { ...stored.data, worked: didWork } }))
    return pattern
  }

  tell(pattern: string, didWork: boolean): Promise<Count> {
    return this.#turns.take(async () =>
      this.#change(await this.#openSpace(), pattern, (count) =>
        didWork ? { ...count, worked: count.worked + 1 } : { ...count, failed: count.failed + 1 },
      ),
    )
  }

  async #change(space: Space, pattern: string, edit: (count: Count) => Count): Promise<Count> {
    const id = `${COUNT_PREFIX}${pattern}`
    const changed = await space.change(id, (item) => ({ ...item, data: toData(edit(readCount(item.data))) }))
    if (changed !== undefined) return readCount(changed.data)
    const first = edit(NO_COUNT)
    await space.put([toItem(id, COUNT_KIND, toData(first), this.#now())])
    return first
  }
}

const COUNT_PREFIX = 'pattern:'

function toItem(id: string, kind: string, data: Item['data'], at: number): Item {
  return { id, kind, scope: SCOPE, text: '', tags: [], data, createdAt: at, updatedAt: at }
}

function toData({ uses, worked, failed, lastUsed }: Count): Item['data'] {
  return { uses, worked, failed, ...(lastUsed === undefined ? {} : { lastUsed }) }
}

function readCount({ uses, worked, failed, lastUsed }: Item['data']): Count {
  const read = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0)
  return {
    uses: read(uses),
    worked: read(worked),
    failed: read(failed),
    lastUsed: typeof lastUsed === 'number' ? lastUsed : undefined,
  }
}
