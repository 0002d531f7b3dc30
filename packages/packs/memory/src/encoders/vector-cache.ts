/**
 * Vectors by what was encoded, on disk, so that a text that comes again (after a restart, in a file that was moved, when a branch is
 * checked out again) is not encoded again. One model at a time.
 *
 * 1. Bounded: two generations of half the size each. When the current one is full it becomes the previous one, and what is asked for
 *    in that moves over.
 * 2. Nothing that is read is believed: a record holds its key and a checksum, and one that does not fit is not there. So a process
 *    that was killed while it wrote, or a second one on the same folder, costs entries and nothing else.
 * 3. Without it everything works: what cannot be read or written is not cached.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { ensurePrivateFolder } from '@switchboard/base'

export interface VectorCacheOptions {
  readonly folder: string
  /** With what decides its vectors. */
  readonly model: string
  readonly dimension: number
  /** Default: 128 MB, that is some 80,000 vectors of 384 numbers. */
  readonly maxBytes?: number
}

interface Generation {
  readonly file: FileHandle
  /** Where in it the record of a key begins. */
  readonly places: Map<string, number>
  size: number
}

const KEY_BYTES = 16
const HEAD_BYTES = KEY_BYTES + 4
const DEFAULT_MAX_BYTES = 128 * 1024 * 1024
const FILE_NAME = /^vectors-[0-9a-f]{16}\.(?:current|previous)$/

export class VectorCache {
  readonly #recordBytes: number
  readonly #maxBytes: number
  readonly #path: string
  #current: Generation
  #previous: Generation | undefined
  /** Writes come one after the other. */
  #last: Promise<void> = Promise.resolve()

  private constructor(path: string, recordBytes: number, maxBytes: number, current: Generation) {
    this.#path = path
    this.#recordBytes = recordBytes
    this.#maxBytes = maxBytes
    this.#current = current
  }

  /** Throws when the folder cannot be used. */
  static async open(options: VectorCacheOptions): Promise<VectorCache> {
    const { folder, model, dimension, maxBytes = DEFAULT_MAX_BYTES } = options
    await ensurePrivateFolder(folder)
    const name = `vectors-${createHash('sha256').update(`${model}\n${dimension}`).digest('hex').slice(0, 16)}`
    await removeOthers(folder, name)
    const path = join(folder, name)
    const recordBytes = HEAD_BYTES + 4 * dimension
    const current = await openGeneration(`${path}.current`, recordBytes, 'a+')
    const cache = new VectorCache(path, recordBytes, maxBytes, current)
    cache.#previous = await openGeneration(`${path}.previous`, recordBytes, 'r').catch(() => undefined)
    return cache
  }

  async get(text: string): Promise<Float32Array | undefined> {
    const key = keyOf(text)
    const found = await this.#read(this.#current, key)
    if (found !== undefined || this.#previous === undefined) return found
    const older = await this.#read(this.#previous, key)
    if (older !== undefined) await this.put([[text, older]])
    return older
  }

  /** What is there is kept. */
  put(entries: readonly (readonly [text: string, vector: Float32Array])[]): Promise<void> {
    const done = this.#last.then(() => this.#append(entries))
    this.#last = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    await this.#last
    await this.#current.file.close()
    await this.#previous?.file.close()
  }

  async #read({ file, places }: Generation, key: string): Promise<Float32Array | undefined> {
    const place = places.get(key)
    if (place === undefined) return undefined
    const record = Buffer.alloc(this.#recordBytes)
    const { bytesRead } = await file.read(record, 0, record.length, place)
    const isWhole = bytesRead === record.length && record.toString('latin1', 0, KEY_BYTES) === key
    if (!isWhole || record.readUInt32LE(KEY_BYTES) !== checksumOf(record)) return undefined
    return Float32Array.from({ length: (record.length - HEAD_BYTES) / 4 }, (_, index) =>
      record.readFloatLE(HEAD_BYTES + 4 * index),
    )
  }

  async #append(entries: readonly (readonly [string, Float32Array])[]): Promise<void> {
    const records = new Map<string, Buffer>()
    for (const [text, vector] of entries) {
      const key = keyOf(text)
      if (!this.#current.places.has(key)) records.set(key, createRecord(key, vector))
    }
    if (records.size === 0) return
    if (this.#current.size + records.size * this.#recordBytes > this.#maxBytes / 2) await this.#turnOver()
    const { file, places } = this.#current
    await file.appendFile(Buffer.concat([...records.values()]))
    // Where it ended up is asked: another process may have written as well.
    const { size } = await file.stat()
    const first = size - records.size * this.#recordBytes
    for (const [index, key] of [...records.keys()].entries()) places.set(key, first + index * this.#recordBytes)
    this.#current.size = size
  }

  async #turnOver(): Promise<void> {
    await this.#previous?.file.close()
    this.#previous = undefined
    // Windows renames nothing that is open.
    await this.#current.file.close()
    await rename(`${this.#path}.current`, `${this.#path}.previous`)
    const { places, size } = this.#current
    this.#current = await openGeneration(`${this.#path}.current`, this.#recordBytes, 'a+')
    this.#previous = { file: await open(`${this.#path}.previous`, 'r'), places, size }
  }
}

/** Its whole records; what a killed process left of one is cut off. */
async function openGeneration(path: string, recordBytes: number, flags: 'a+' | 'r'): Promise<Generation> {
  const file = await open(path, flags, 0o600)
  try {
    const { size: found } = await file.stat()
    const size = found - (found % recordBytes)
    if (size !== found && flags === 'a+') await file.truncate(size)
    const places = new Map<string, number>()
    const part = Buffer.alloc(recordBytes * Math.max(1, Math.floor(1_048_576 / recordBytes)))
    for (let at = 0; at < size; at += part.length) {
      const { bytesRead } = await file.read(part, 0, Math.min(part.length, size - at), at)
      for (let start = 0; start + recordBytes <= bytesRead; start += recordBytes) {
        places.set(part.toString('latin1', start, start + KEY_BYTES), at + start)
      }
    }
    return { file, places, size }
  } catch (error) {
    await file.close()
    throw error
  }
}

function createRecord(key: string, vector: Float32Array): Buffer {
  const record = Buffer.alloc(HEAD_BYTES + 4 * vector.length)
  record.write(key, 0, 'latin1')
  for (const [index, value] of vector.entries()) record.writeFloatLE(value, HEAD_BYTES + 4 * index)
  record.writeUInt32LE(checksumOf(record), KEY_BYTES)
  return record
}

function checksumOf(record: Buffer): number {
  return crc32(record.subarray(HEAD_BYTES), crc32(record.subarray(0, KEY_BYTES)))
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, KEY_BYTES)
}

async function removeOthers(folder: string, name: string): Promise<void> {
  for (const file of await readdir(folder)) {
    if (FILE_NAME.test(file) && !file.startsWith(name)) await rm(join(folder, file), { force: true })
  }
}
