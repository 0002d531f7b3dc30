/**
 * What was sent on the event streams of one session, kept for a client that comes back with `Last-Event-ID`. Bounded by
 * number, size and age; the oldest go first.
 */
export interface StoredEvent {
  readonly stream: number
  readonly sequence: number
  readonly data: string
}

interface Entry extends StoredEvent {
  readonly at: number
}

export interface EventStoreLimits {
  readonly maxEvents: number
  /** In characters, which for JSON is about bytes. */
  readonly maxSize: number
  readonly maxAgeMs: number
}

const EVENT_STORE_LIMITS: EventStoreLimits = { maxEvents: 1_000, maxSize: 1024 * 1024, maxAgeMs: 5 * 60_000 }

export class EventStore {
  readonly #limits: EventStoreLimits
  #entries: Entry[] = []
  #size = 0

  constructor(limits: EventStoreLimits = EVENT_STORE_LIMITS) {
    this.#limits = limits
  }

  get count(): number {
    return this.#entries.length
  }

  /** `keep`: also when it alone is larger than the limit, because nobody has read it yet. False: it was too large. */
  append(event: StoredEvent, now: number, keep: boolean): boolean {
    const { maxEvents, maxSize } = this.#limits
    if (event.data.length > maxSize && !keep) return false
    this.#entries.push({ ...event, at: now })
    this.#size += event.data.length
    let surplus = 0
    let size = this.#size
    while (this.#entries.length - surplus > 1 && (this.#entries.length - surplus > maxEvents || size > maxSize)) {
      size -= this.#entries[surplus]?.data.length ?? 0
      surplus++
    }
    this.#drop(surplus, size)
    return true
  }

  after(stream: number, sequence: number): StoredEvent[] {
    return this.#entries.filter((entry) => entry.stream === stream && entry.sequence > sequence)
  }

  expire(now: number): void {
    const oldest = now - this.#limits.maxAgeMs
    let expired = 0
    let size = this.#size
    for (const entry of this.#entries) {
      if (entry.at > oldest) break
      size -= entry.data.length
      expired++
    }
    this.#drop(expired, size)
  }

  #drop(count: number, size: number): void {
    if (count === 0) return
    this.#entries = this.#entries.slice(count)
    this.#size = size
  }
}
