/**
 * A line of messages in one direction: files that one side appends to and the other one reads, a message on each line. A long line
 * is cut into several files; whoever has read one to its end removes it, so that a session of days leaves no heap behind.
 */
import { appendFileSync, closeSync, constants, existsSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { errorCode } from '@switchboard/base'

/** Never through a link that somebody has put there, and never waiting for the other end of a pipe. Windows knows neither. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** The next file begins after so much. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024

export type MessageDirection = 'requests' | 'events'

function fileOf(folder: string, direction: MessageDirection, number: number): string {
  return join(folder, `${direction}-${number}.ndjson`)
}

export class MessageWriter {
  readonly #folder: string
  readonly #direction: MessageDirection
  #number = 0
  #bytes = 0
  #waiting: string[] = []

  constructor(folder: string, direction: MessageDirection) {
    this.#folder = folder
    this.#direction = direction
  }

  /** What is sent in one go is written in one go. Throws nothing: a reader that is gone is noticed elsewhere. */
  send(message: unknown): void {
    this.#waiting.push(`${JSON.stringify(message)}\n`)
    if (this.#waiting.length === 1) setImmediate(() => this.flush())
  }

  flush(): void {
    if (this.#waiting.length === 0) return
    const text = this.#waiting.join('')
    this.#waiting = []
    try {
      appendFileSync(fileOf(this.#folder, this.#direction, this.#number), text, { mode: 0o600 })
    } catch {
      // The folder was taken back, or the disk is full: whoever waits notices by its own clock.
      return
    }
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes < MAX_FILE_BYTES) return
    this.#number++
    this.#bytes = 0
  }
}

export class MessageReader {
  readonly #folder: string
  readonly #direction: MessageDirection
  readonly #onMessage: (message: unknown) => void
  #number = 0
  #offset = 0
  #decoder = new StringDecoder('utf8')
  #text = ''

  constructor(folder: string, direction: MessageDirection, onMessage: (message: unknown) => void) {
    this.#folder = folder
    this.#direction = direction
    this.#onMessage = onMessage
  }

  /** All that has come since. */
  read(): void {
    for (;;) {
      // The next one is begun only when nothing is written into this one any more.
      const isOver = existsSync(fileOf(this.#folder, this.#direction, this.#number + 1))
      this.#readFile()
      if (!isOver) return
      rmSync(fileOf(this.#folder, this.#direction, this.#number), { force: true })
      this.#number++
      this.#offset = 0
    }
  }

  #readFile(): void {
    const file = fileOf(this.#folder, this.#direction, this.#number)
    let handle: number
    try {
      handle = openSync(file, READING)
    } catch (error) {
      if (errorCode(error) !== undefined) return
      throw error
    }
    try {
      if (!fstatSync(handle).isFile()) return
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      for (;;) {
        const length = readSync(handle, chunk, 0, CHUNK_BYTES, this.#offset)
        if (length === 0) return
        this.#offset += length
        this.#push(this.#decoder.write(chunk.subarray(0, length)))
      }
    } finally {
      closeSync(handle)
    }
  }

  #push(text: string): void {
    const lines = (this.#text + text).split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) {
      let message: unknown
      try {
        message = JSON.parse(line)
      } catch {
        // No message of ours.
        continue
      }
      this.#onMessage(message)
    }
  }
}
