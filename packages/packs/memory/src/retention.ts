/** Deletes what a person said should not be kept so long. Without a word of theirs nothing is ever deleted. */
import { type Clock, errorMessage, type Timer } from '@switchboard/base'
import type { Space } from '@switchboard/store'
import type { Logger } from '@switchboard/telemetry'
import { CHECKPOINT } from './checkpoints/checkpoint.ts'
import { COUNT } from './counts/call-counts.ts'
import type { SpaceName } from './host.ts'

const DAY_MS = 86_400_000
const LOOK_EVERY_MS = 6 * 3_600_000
const PAGE = 500

const KEPT: readonly { readonly space: SpaceName; readonly kind: string }[] = [
  { space: 'checkpoints', kind: CHECKPOINT },
  { space: 'counts', kind: COUNT },
]

export interface RetentionOptions {
  /** 0: everything is kept. */
  readonly days: number
  readonly space: (name: SpaceName) => Promise<Space>
  /** A store that holds nothing stays closed. */
  readonly isEmpty: () => boolean
  readonly clock: Clock
  readonly log: Logger
}

export class Retention {
  readonly #options: RetentionOptions
  #timer: Timer | undefined
  #looking: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: RetentionOptions) {
    this.#options = options
  }

  /** Looks now, and from time to time. */
  start(): void {
    if (this.#options.days === 0 || this.#isClosed) return
    this.#looking = this.look()
    this.#timer = this.#options.clock.setBackgroundTimer(LOOK_EVERY_MS, () => this.start())
  }

  async look(): Promise<void> {
    const { days, space, isEmpty, clock, log } = this.#options
    if (isEmpty()) return
    const before = clock.wallTime() - days * DAY_MS
    for (const { space: name, kind } of KEPT) {
      try {
        const removed = await removeOlder(await space(name), kind, before, () => this.#isClosed)
        if (removed > 0) log.info('memory.retention', `${removed} of ${name} were older than ${days} days`)
      } catch (error) {
        log.warn('memory.retention', `${name} could not be cleared: ${errorMessage(error)}`)
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.cancel()
    await this.#looking
  }
}

/** The oldest stand at the end of the list. */
async function removeOlder(space: Space, kind: string, before: number, isOver: () => boolean): Promise<number> {
  let removed = 0
  while (!isOver()) {
    const all = { scopes: 'all' as const, kinds: [kind], limit: PAGE }
    const { total } = await space.list({ ...all, limit: 1 })
    const { items } = await space.list({ ...all, offset: Math.max(0, total - PAGE) })
    const old = items.filter(({ createdAt }) => createdAt < before).map(({ id }) => id)
    if (old.length === 0) break
    removed += await space.remove(old)
  }
  return removed
}
