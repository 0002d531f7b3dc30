/**
 * One file that is only ever appended to, and its way around the world: opened late, found again when somebody removed
 * or replaced it, moved aside by day and size, and left without half a line after a failed write.
 */
import { closeSync, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorMessage } from '@switchboard/base'
import { toDay } from '../days.ts'
import { moveAside, parseFileName } from './rotated-file.ts'

const NEWLINE = 0x0a
const TIMESTAMP = /^\{"ts":"(\d{4}-\d{2}-\d{2}T[0-9:.]{12}Z)"/
/** How long an ending process waits for a write that a worker thread has already begun. */
const EXIT_WAIT_MS = 250

/** A write that ended early; whole lines up to `keptBytes` of the given buffer are in the file. */
export class WriteFailure extends Error {
  override readonly name = 'WriteFailure'
  readonly keptBytes: number

  constructor(cause: unknown, keptBytes: number) {
    super(errorMessage(cause), { cause })
    this.keptBytes = keptBytes
  }
}

export class AppendFile {
  readonly path: string
  readonly name: string
  readonly directory: string
  readonly #base: string
  readonly #extension: string
  #handle: FileHandle | undefined
  #identity = ''
  #size = 0
  /** The day that its lines are of; undefined while it is empty. */
  #day: number | undefined
  /** The last line has no newline: a process died, or the disk was full, in the middle of it. */
  #isTorn = false
  /** The write that a worker thread is busy with. */
  #writing: { readonly handle: FileHandle; readonly start: number; readonly buffer: Buffer } | undefined

  constructor(directory: string, file: string) {
    this.name = basename(file)
    this.directory = directory
    this.path = join(directory, this.name)
    const parts = parseFileName(this.name)
    this.#base = parts && !parts.rotated ? parts.base : this.name
    this.#extension = parts && !parts.rotated ? parts.extension : ''
  }

  get size(): number {
    return this.#size
  }

  /** The day of the lines in it, undefined when it is empty. */
  get day(): number | undefined {
    return this.#size === 0 ? undefined : this.#day
  }

  /** Makes sure that what is open is the file at the path. Returns whether it had to be opened. */
  async prepare(): Promise<boolean> {
    if (this.#handle) {
      const found = await stat(this.path, { bigint: true }).catch(() => undefined)
      if (found && identify(found) === this.#identity) {
        this.#size = Number(found.size)
        return false
      }
      await this.close()
    }
    await this.#open()
    return true
  }

  /** Moves the file aside and goes on in a fresh one. On failure the old one stays open and usable. */
  async rotate(): Promise<void> {
    if (this.#day === undefined) return
    await moveAside(this.directory, this.#base, this.#extension, this.#day)
    const old = this.#handle
    await this.#open()
    await old?.close().catch(() => undefined)
  }

  /** Appends whole lines of one day. Rejects with a `WriteFailure` only. */
  async write(buffer: Buffer, day: number): Promise<void> {
    const handle = this.#handle
    if (!handle) throw new WriteFailure(new Error(`${this.path} is not open`), 0)
    if (this.#size === 0 || this.#day === undefined) this.#day = day
    const prefix = this.#isTorn ? 1 : 0
    const bytes = prefix ? Buffer.concat([Buffer.of(NEWLINE), buffer]) : buffer
    const start = this.#size
    this.#writing = { handle, start, buffer: bytes }
    let done = 0
    try {
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, null)
        if (bytesWritten === 0) throw new Error(`${this.path} takes no more bytes`)
        done += bytesWritten
      }
      this.#size = start + bytes.length
      this.#isTorn = false
    } catch (error) {
      const kept = done === 0 ? 0 : bytes.lastIndexOf(NEWLINE, done - 1) + 1
      await this.#cutBack(handle, start, done, kept)
      throw new WriteFailure(error, Math.max(0, kept - prefix))
    } finally {
      this.#writing = undefined
    }
  }

  /** For the `exit` event: finishes what a worker thread may be writing, then appends. Throws when that fails. */
  writeSync(buffer: Buffer): void {
    const rest = this.#awaitWriting()
    if (rest.length + buffer.length === 0) return
    const bytes = Buffer.concat(this.#isTorn ? [Buffer.of(NEWLINE), rest, buffer] : [rest, buffer])
    let fd = this.#handle?.fd
    const isOwn = fd === undefined || fd < 0
    if (fd === undefined || fd < 0) {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 })
      fd = openSync(this.path, 'a', 0o600)
    }
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    } finally {
      if (isOwn) closeSync(fd)
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close().catch(() => undefined)
  }

  async #open(): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 })
    // Readable too: what an earlier process left in it decides its day and whether its last line is whole.
    const handle = await open(this.path, 'a+', 0o600)
    try {
      const found = await handle.stat({ bigint: true })
      const size = Number(found.size)
      let day: number | undefined
      let isTorn = false
      if (size > 0) {
        const head = await handle.read(Buffer.alloc(64), 0, 64, 0)
        const timestamp = TIMESTAMP.exec(head.buffer.toString('latin1', 0, head.bytesRead))?.[1]
        day = toDay(timestamp === undefined ? Number(found.mtimeMs) : Date.parse(timestamp))
        const tail = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
        isTorn = tail.bytesRead === 1 && tail.buffer[0] !== NEWLINE
      }
      this.#handle = handle
      this.#identity = identify(found)
      this.#size = size
      this.#day = day
      this.#isTorn = isTorn
    } catch (error) {
      await handle.close().catch(() => undefined)
      throw error
    }
  }

  /** Removes the half line of a failed write, so that readers never meet it; if that fails, a newline ends it later. */
  async #cutBack(handle: FileHandle, start: number, done: number, kept: number): Promise<void> {
    this.#size = start + done
    if (done === kept) return
    try {
      const { size } = await handle.stat()
      if (size !== start + done) throw new Error('somebody else writes to this file')
      await handle.truncate(start + kept)
      this.#size = start + kept
    } catch {
      this.#isTorn = true
    }
  }

  /** Waits, bounded, until a begun write is in the file; returns the part that did not get there. */
  #awaitWriting(): Buffer {
    const writing = this.#writing
    if (!writing) return Buffer.alloc(0)
    this.#writing = undefined
    this.#isTorn = false
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const end = writing.start + writing.buffer.length
    let size = writing.start
    for (let waited = 0; waited < EXIT_WAIT_MS; waited++) {
      size = fstatSync(writing.handle.fd).size
      if (size >= end) return Buffer.alloc(0)
      Atomics.wait(pause, 0, 0, 1)
    }
    return writing.buffer.subarray(Math.max(0, size - writing.start))
  }
}

function identify(stats: { dev: bigint; ino: bigint }): string {
  return `${stats.dev}:${stats.ino}`
}
