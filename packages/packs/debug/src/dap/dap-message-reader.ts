/**
 * Cuts the messages of the debug adapter protocol out of a stream of bytes: headers with a length, then JSON. What
 * stands between two messages is noise (a program or a library that printed to the adapter's output) and is told, not
 * an error. A length that cannot be true breaks the stream for good: nobody knows where the next message begins.
 */
import { isJsonObject } from '@switchboard/protocol'
import { parsePlainJson } from '@switchboard/protocol/framing'

export interface DapMessageHandlers {
  onMessage(message: Readonly<Record<string, unknown>>): void
  onNoise(text: string): void
  onBroken(reason: string): void
}

const LENGTH_HEADER = 'Content-Length:'
const HEADER_END = '\r\n\r\n'
const MAX_HEADER_BYTES = 4096
const MAX_FRAME_BYTES = 64 * 1024 * 1024

export class DapMessageReader {
  readonly #handlers: DapMessageHandlers
  readonly #maxBytes: number
  #chunks: Buffer[] = []
  #size = 0
  /** Bytes of the body that is being read; undefined between messages. */
  #bodyBytes: number | undefined
  #broken = false

  constructor(handlers: DapMessageHandlers, maxBytes = MAX_FRAME_BYTES) {
    this.#handlers = handlers
    this.#maxBytes = maxBytes
  }

  push(chunk: Buffer): void {
    if (this.#broken) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    while (!this.#broken && (this.#bodyBytes === undefined ? this.#readHeader() : this.#readBody(this.#bodyBytes))) {}
  }

  /** The stream is over: what is left is noise. */
  end(): void {
    if (this.#broken || this.#size === 0) return
    this.#handlers.onNoise(this.#take(this.#size).toString())
  }

  /** True: go on, there may be more. */
  #readHeader(): boolean {
    if (this.#size === 0) return false
    const buffer = this.#join()
    const start = buffer.indexOf(LENGTH_HEADER)
    if (start === -1) {
      this.#dropNoise(buffer)
      return false
    }
    if (start > 0) this.#handlers.onNoise(this.#take(start).toString())
    const head = this.#join()
    const end = head.indexOf(HEADER_END)
    if (end === -1) {
      if (head.length > MAX_HEADER_BYTES) this.#break(`a header of more than ${MAX_HEADER_BYTES} bytes`)
      return false
    }
    const text = head.subarray(0, end).toString('latin1')
    const length = /^Content-Length:\s*(\d{1,15})\s*$/m.exec(text)?.[1]
    if (length === undefined) {
      this.#break(`a header without a length: ${JSON.stringify(text.slice(0, 100))}`)
      return false
    }
    if (Number(length) > this.#maxBytes) {
      this.#break(`a message of ${length} bytes, more than the ${this.#maxBytes} that are read`)
      return false
    }
    this.#take(end + HEADER_END.length)
    this.#bodyBytes = Number(length)
    return true
  }

  #readBody(bytes: number): boolean {
    if (this.#size < bytes) return false
    this.#bodyBytes = undefined
    const text = this.#take(bytes).toString()
    const message = parseObject(text)
    if (message === undefined) this.#handlers.onNoise(text)
    else this.#handlers.onMessage(message)
    return true
  }

  /** Keeps the last bytes: they may be the beginning of a header. */
  #dropNoise(buffer: Buffer): void {
    const kept = buffer.lastIndexOf(LENGTH_HEADER.charAt(0))
    const couldBeHeader = kept !== -1 && LENGTH_HEADER.startsWith(buffer.subarray(kept).toString('latin1'))
    const noise = couldBeHeader ? kept : buffer.length
    if (noise > 0) this.#handlers.onNoise(this.#take(noise).toString())
  }

  #join(): Buffer {
    const [first, second] = this.#chunks
    if (first !== undefined && second === undefined) return first
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }

  #take(bytes: number): Buffer {
    const buffer = this.#join()
    const rest = buffer.subarray(bytes)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#size = rest.length
    return buffer.subarray(0, bytes)
  }

  #break(reason: string): void {
    this.#broken = true
    this.#chunks = []
    this.#size = 0
    this.#handlers.onBroken(reason)
  }
}

export function encodeFrame(message: unknown): string {
  const text = JSON.stringify(message)
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parsePlainJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
