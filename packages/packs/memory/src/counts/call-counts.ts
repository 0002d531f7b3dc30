/**
 * What was called, how long it took and what came of it, by day, project and tool. Counting is a change of numbers in memory; they
 * are written together, every now and then and at the end. What a killed daemon had not written is not counted.
 */
import { createHash } from 'node:crypto'
import { type Clock, errorMessage, type Timer } from '@switchboard/base'
import type { Space, StoredItem } from '@switchboard/store'
import type { Logger } from '@switchboard/telemetry'
import { NOBODY, scopeOf } from '../projects/projects.ts'
import { addNumbers, NO_NUMBERS, type Numbers, readNumbers } from './numbers.ts'

export const COUNT = 'count'

export interface CountedCall {
  readonly tool: string
  /** Of the caller; undefined: it has told none. */
  readonly workspace: string | undefined
  /** Whose call it was; undefined: nobody can tell. */
  readonly owner: string | undefined
  readonly ms: number
  readonly isFailed: boolean
  /** Of a search: whether it found something. Undefined: it was none. */
  readonly isHit: boolean | undefined
  /** Of the text that an agent has read. */
  readonly tokens: number
}

const WRITE_EVERY_MS = 10_000
/** So many windows of a day are told apart. */
const MAX_OWNERS = 10_000
/** So many days, projects and tools wait to be written; a store that takes nothing must not fill the memory. */
const MAX_WAITING = 5_000

interface Waiting {
  readonly day: string
  readonly workspace: string | undefined
  readonly tool: string
  numbers: Numbers
}

export class CallCounts {
  readonly #space: () => Promise<Space>
  readonly #clock: Clock
  readonly #log: Logger
  #waiting = new Map<string, Waiting>()
  /** Of this day. */
  readonly #owners = new Set<string>()
  #ownersDay = ''
  #timer: Timer | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(space: () => Promise<Space>, clock: Clock, log: Logger) {
    this.#space = space
    this.#clock = clock
    this.#log = log
  }

  record({ tool, workspace, owner, ms, isFailed, isHit, tokens }: CountedCall): void {
    const day = toDay(this.#clock.wallTime())
    const key = `${day}\0${tool}\0${workspace ?? ''}`
    const known = this.#waiting.get(key)
    if (known === undefined && this.#waiting.size >= MAX_WAITING) return
    const entry = known ?? { day, workspace, tool, numbers: NO_NUMBERS }
    entry.numbers = addNumbers(entry.numbers, {
      sessions: this.#isNew(day, workspace, owner) ? 1 : 0,
      calls: 1,
      failed: isFailed ? 1 : 0,
      searches: isHit === undefined ? 0 : 1,
      hits: isHit === true ? 1 : 0,
      ms,
      slowest: ms,
      tokens,
    })
    this.#waiting.set(key, entry)
    this.#timer ??= this.#clock.setBackgroundTimer(WRITE_EVERY_MS, () => {
      this.#timer = undefined
      void this.write()
    })
  }

  #isNew(day: string, workspace: string | undefined, owner: string | undefined): boolean {
    if (day !== this.#ownersDay) this.#owners.clear()
    this.#ownersDay = day
    const key = `${owner}\0${workspace ?? ''}`
    if (owner === undefined || this.#owners.has(key) || this.#owners.size >= MAX_OWNERS) return false
    this.#owners.add(key)
    return true
  }

  /** All that was counted so far is stored when it resolves, or logged that it could not be. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = undefined
    await this.write()
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting
    if (waiting.size === 0) return
    this.#waiting = new Map()
    try {
      const space = await this.#space()
      for (const [key, entry] of waiting) {
        await add(space, entry)
        waiting.delete(key)
      }
    } catch (error) {
      this.#log.warn('memory.counts', `${waiting.size} counts were not stored: ${errorMessage(error)}`)
      for (const [key, entry] of waiting) this.#keep(key, entry)
    }
  }

  /** For the next time. */
  #keep(key: string, entry: Waiting): void {
    const newer = this.#waiting.get(key)
    if (newer !== undefined) newer.numbers = addNumbers(newer.numbers, entry.numbers)
    else if (this.#waiting.size < MAX_WAITING) this.#waiting.set(key, entry)
  }
}

async function add(space: Space, { day, workspace, tool, numbers }: Waiting): Promise<void> {
  const scope = workspace === undefined ? NOBODY : scopeOf(workspace)
  const id = createHash('sha256').update(`${day}\0${tool}\0${scope}`).digest('hex').slice(0, 32)
  const edit = (item: StoredItem) => ({ ...item, data: { day, tool, ...addNumbers(readNumbers(item.data), numbers) } })
  if ((await space.change(id, edit)) !== undefined) return
  const at = Date.parse(`${day}T00:00:00Z`)
  const data = { day, tool, ...numbers }
  await space.put([{ id, kind: COUNT, scope, text: '', tags: [], data, createdAt: at, updatedAt: at }])
}

/** In the time of the world: a day is the same for every window. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
