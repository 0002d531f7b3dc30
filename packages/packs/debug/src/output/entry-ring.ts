/** The newest entries, bounded by count and by bytes; the oldest give way and are counted. */
export class EntryRing<Entry> {
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #sizeOf: (entry: Entry) => number
  #entries: Entry[] = []
  /** What lies before it was dropped; the array is cut when that is half of it, so that a flood costs constant time. */
  #first = 0
  #bytes = 0
  #droppedEntries = 0
  #droppedBytes = 0

  constructor(limits: { maxEntries: number; maxBytes: number }, sizeOf: (entry: Entry) => number) {
    this.#maxEntries = limits.maxEntries
    this.#maxBytes = limits.maxBytes
    this.#sizeOf = sizeOf
  }

  push(entry: Entry): void {
    this.#entries.push(entry)
    this.#bytes += this.#sizeOf(entry)
    while (this.length > this.#maxEntries || (this.#bytes > this.#maxBytes && this.length > 1)) this.#dropOldest()
  }

  get length(): number {
    return this.#entries.length - this.#first
  }

  get bytes(): number {
    return this.#bytes
  }

  get dropped(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#droppedEntries, bytes: this.#droppedBytes }
  }

  /** Oldest first. */
  toArray(): Entry[] {
    return this.#entries.slice(this.#first)
  }

  #dropOldest(): void {
    const oldest = this.#entries[this.#first]
    if (oldest === undefined) return
    const size = this.#sizeOf(oldest)
    this.#first++
    this.#bytes -= size
    this.#droppedEntries++
    this.#droppedBytes += size
    if (this.#first * 2 < this.#entries.length) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
}
