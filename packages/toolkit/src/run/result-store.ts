/**
 * Results that were too long for an answer, kept so that the agent can read on. Bounded: by bytes in all, by bytes for
 * each owner, by the size of one, and by time; the one that was not read for longest goes first. An id says nothing to anybody but
 * its owner: to all others it is as unknown as one that never was.
 */
import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@switchboard/base'

export interface StoredResult {
  readonly id: string
  readonly mimeType: string
  readonly text: string
  /** Of what the tool gave; `text` is shorter when that was more than one result may hold. */
  readonly bytes: number
}

export interface ResultStoreOptions {
  /** Default: 32 MiB. */
  readonly maxBytes?: number
  /** Default: 8 MiB. */
  readonly maxOwnerBytes?: number
  /** Default: 4 MiB. */
  readonly maxResultBytes?: number
  /** Milliseconds since it was stored or last read. Default: one hour. */
  readonly ttlMs?: number
}

interface Entry extends StoredResult {
  readonly owner: string
  readonly size: number
  readonly usedAt: number
}

const MIB = 1024 * 1024
const HOUR_MS = 60 * 60_000

export class ResultStore {
  /** In the order of their last use: the first one goes first. */
  readonly #entries = new Map<string, Entry>()
  readonly #ownerBytes = new Map<string, number>()
  readonly #maxBytes: number
  readonly #maxOwnerBytes: number
  readonly #maxResultBytes: number
  readonly #ttlMs: number
  readonly #clock: Clock
  #sweep: { cancel(): void } | undefined
  #bytes = 0

  constructor(options: ResultStoreOptions = {}, clock: Clock = systemClock) {
    const { maxBytes = 32 * MIB, maxOwnerBytes = 8 * MIB, maxResultBytes = 4 * MIB, ttlMs = HOUR_MS } = options
    this.#clock = clock
    this.#ttlMs = ttlMs
    this.#maxBytes = maxBytes
    this.#maxOwnerBytes = Math.min(maxOwnerBytes, maxBytes)
    this.#maxResultBytes = Math.min(maxResultBytes, this.#maxOwnerBytes)
  }

  get bytes(): number {
    return this.#bytes
  }

  get count(): number {
    return this.#entries.size
  }

  add(owner: string, text: string, mimeType: string): StoredResult {
    const bytes = Buffer.byteLength(text)
    const kept = bytes > this.#maxResultBytes ? cutToBytes(text, this.#maxResultBytes) : text
    const size = kept === text ? bytes : Buffer.byteLength(kept)
    const id = randomBytes(12).toString('hex')
    const entry: Entry = { id, owner, mimeType, text: kept, bytes, size, usedAt: this.#clock.now() }
    this.#entries.set(id, entry)
    this.#bytes += size
    this.#ownerBytes.set(owner, (this.#ownerBytes.get(owner) ?? 0) + size)
    this.#makeRoom(owner)
    this.#sweepLater()
    return entry
  }

  /** Undefined: it never was, it is gone, or it is somebody else's. */
  get(owner: string, id: string): StoredResult | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.owner !== owner) return undefined
    const used = { ...entry, usedAt: this.#clock.now() }
    this.#entries.delete(id)
    this.#entries.set(id, used)
    return used
  }

  /** Everything of an owner that is gone. */
  release(owner: string): void {
    for (const entry of [...this.#entries.values()]) if (entry.owner === owner) this.#remove(entry)
  }

  /** One timer for all: the first of the list is the one whose time is over first. */
  #sweepLater(): void {
    const [oldest] = this.#entries.values()
    if (oldest === undefined || this.#sweep !== undefined) return
    this.#sweep = this.#clock.setBackgroundTimer(Math.max(1, oldest.usedAt + this.#ttlMs - this.#clock.now()), () => {
      this.#sweep = undefined
      const limit = this.#clock.now() - this.#ttlMs
      for (const entry of [...this.#entries.values()]) if (entry.usedAt <= limit) this.#remove(entry)
      this.#sweepLater()
    })
  }

  #makeRoom(owner: string): void {
    for (const entry of [...this.#entries.values()]) {
      const isOwnerFull = (this.#ownerBytes.get(owner) ?? 0) > this.#maxOwnerBytes
      if (!isOwnerFull && this.#bytes <= this.#maxBytes) return
      if (entry.owner === owner || !isOwnerFull) this.#remove(entry)
    }
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.id)
    this.#bytes -= entry.size
    const left = (this.#ownerBytes.get(entry.owner) ?? 0) - entry.size
    if (left > 0) this.#ownerBytes.set(entry.owner, left)
    else this.#ownerBytes.delete(entry.owner)
  }
}

/** The longest start of a text that is at most so many bytes in UTF-8, without half a character at its end. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const bytes = Buffer.from(text.slice(0, maxBytes))
  if (bytes.length <= maxBytes) return text.length <= maxBytes ? text : bytes.toString()
  let end = maxBytes
  // A byte 10xxxxxx goes on with the character before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}
