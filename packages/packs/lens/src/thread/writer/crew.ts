/** The parsers: started when there is something to read, ended when there was nothing for a while. */
import type { FileOrder, IndexThreadStart, ParsedBatch, ParseOrder } from '../messages.ts'
import { Helper } from './helpers.ts'

/** Milliseconds that one batch may take; a file of it is tried again alone. */
const BATCH_MS = 60_000
const REST_MS = 20_000

export interface CrewHost {
  readonly start: Omit<IndexThreadStart, 'role'>
  readonly program: URL
  onParsed(batch: ParsedBatch): void
  onLost(files: readonly FileOrder[], why: string): void
}

interface Hand {
  readonly helper: Helper<ParseOrder, ParsedBatch>
  files: readonly FileOrder[]
  timer: NodeJS.Timeout | undefined
}

export class Crew {
  readonly #host: CrewHost
  readonly #hands = new Set<Hand>()
  #rest: NodeJS.Timeout | undefined

  constructor(host: CrewHost) {
    this.#host = host
  }

  /** Whether one has nothing to do, or may be started. */
  get hasRoom(): boolean {
    return this.#idle() !== undefined || this.#hands.size < this.#host.start.limits.parsers
  }

  give(files: readonly FileOrder[]): void {
    clearTimeout(this.#rest)
    const hand = this.#idle() ?? this.#hire()
    hand.files = files
    hand.timer = setTimeout(() => void hand.helper.end(`it took longer than ${BATCH_MS / 1_000} s`), BATCH_MS)
    hand.helper.tell({ type: 'parse', files, maxFileSize: this.#host.start.limits.maxFileSize })
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

  #idle(): Hand | undefined {
    for (const hand of this.#hands) if (hand.files.length === 0) return hand
    return undefined
  }

  #hire(): Hand {
    const { start, program, onParsed, onLost } = this.#host
    const hand: Hand = {
      helper: new Helper<ParseOrder, ParsedBatch>({ ...start, role: 'parser' }, program, {
        onNews: (batch) => {
          this.#release(hand)
          onParsed(batch)
        },
        onGone: (why) => {
          const { files } = hand
          this.#hands.delete(hand)
          clearTimeout(hand.timer)
          if (files.length > 0) onLost(files, why)
        },
      }),
      files: [],
      timer: undefined,
    }
    this.#hands.add(hand)
    return hand
  }

  #release(hand: Hand): void {
    clearTimeout(hand.timer)
    hand.files = []
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#dismiss(), REST_MS)
  }

  #dismiss(): void {
    for (const hand of this.#hands) {
      if (hand.files.length > 0) continue
      this.#hands.delete(hand)
      void hand.helper.end()
    }
  }
}
