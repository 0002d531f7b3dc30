/**
 * The parsers: started when there is something to read, ended when there was nothing for a while. Each has one batch in its hands
 * and one that waits, so that it goes on while the writer stores.
 */
import type { FileOrder, IndexThreadStart, ParsedBatch, ParseOrder } from '../messages.ts'
import { Helper } from './helpers.ts'

/** Milliseconds that one batch may take; a file of it is tried again alone. */
const BATCH_MS = 60_000
const REST_MS = 20_000
const MAX_BATCHES = 2

export interface CrewHost {
  readonly start: Omit<IndexThreadStart, 'role'>
  readonly program: URL
  onParsed(batch: ParsedBatch): void
  onLost(files: readonly FileOrder[], why: string): void
}

/** What is to be given. */
export interface CrewNeed {
  /** It waits for no other batch but the one that is being read. */
  readonly isUrgent: boolean
  /** Whatever it does to the one that reads it, nothing else is to be lost with it. */
  readonly isAlone: boolean
}

interface Hand {
  readonly helper: Helper<ParseOrder, ParsedBatch>
  readonly batches: Map<number, readonly FileOrder[]>
  /** What it has is alone. */
  isFull: boolean
  timer: NodeJS.Timeout | undefined
}

export class Crew {
  readonly #host: CrewHost
  readonly #hands = new Set<Hand>()
  #lastBatch = 0
  #rest: NodeJS.Timeout | undefined

  constructor(host: CrewHost) {
    this.#host = host
  }

  /** Whether one can take it, or may be started for it. */
  hasRoom(need: CrewNeed): boolean {
    return this.#find(need) !== undefined || this.#mayHire
  }

  give(files: readonly FileOrder[], need: CrewNeed): void {
    clearTimeout(this.#rest)
    const free = this.#find(need)
    const hand = free === undefined || (free.batches.size > 0 && this.#mayHire) ? this.#hire() : free
    const batch = ++this.#lastBatch
    hand.batches.set(batch, files)
    hand.isFull = need.isAlone
    if (hand.batches.size === 1) this.#watch(hand)
    const { maxFileSize } = this.#host.start.limits
    hand.helper.tell({ type: 'parse', batch, isUrgent: need.isUrgent, files, maxFileSize })
  }

  async close(): Promise<void> {
    clearTimeout(this.#rest)
    await Promise.all(
      [...this.#hands].map(({ helper, timer }) => {
        clearTimeout(timer)
        return helper.end()
      }),
    )
    this.#hands.clear()
  }

  get #mayHire(): boolean {
    return this.#hands.size < this.#host.start.limits.parsers
  }

  /** The one that has the least to do. */
  #find({ isUrgent, isAlone }: CrewNeed): Hand | undefined {
    const limit = isAlone ? 1 : isUrgent ? MAX_BATCHES + 1 : MAX_BATCHES
    let found: Hand | undefined
    for (const hand of this.#hands) {
      if (hand.isFull || hand.batches.size >= limit) continue
      if (found === undefined || hand.batches.size < found.batches.size) found = hand
    }
    return found
  }

  #hire(): Hand {
    const { start, program, onParsed, onLost } = this.#host
    const hand: Hand = {
      helper: new Helper<ParseOrder, ParsedBatch>({ ...start, role: 'parser' }, program, {
        onNews: (parsed) => {
          hand.batches.delete(parsed.batch)
          hand.isFull = false
          this.#watch(hand)
          onParsed(parsed)
        },
        onGone: (why) => {
          this.#hands.delete(hand)
          clearTimeout(hand.timer)
          const files = [...hand.batches.values()].flat()
          if (files.length > 0) onLost(files, why)
        },
      }),
      batches: new Map(),
      isFull: false,
      timer: undefined,
    }
    this.#hands.add(hand)
    return hand
  }

  /** From now on its next batch is expected. */
  #watch(hand: Hand): void {
    clearTimeout(hand.timer)
    if (hand.batches.size > 0) {
      hand.timer = setTimeout(() => void hand.helper.end(`it took longer than ${BATCH_MS / 1_000} s`), BATCH_MS)
      return
    }
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#dismiss(), REST_MS)
  }

  #dismiss(): void {
    for (const hand of this.#hands) {
      if (hand.batches.size > 0) continue
      this.#hands.delete(hand)
      void hand.helper.end()
    }
  }
}
