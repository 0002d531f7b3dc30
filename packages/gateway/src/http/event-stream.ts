/**
 * Server-sent events on one response. What is written within one turn of the event loop leaves in one piece. A client that
 * does not read is cut off, so that nothing piles up for it without end.
 */
import type { ServerResponse } from 'node:http'

const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Reverse proxies hold events back unless told otherwise.
  'x-accel-buffering': 'no',
} as const

/** With so much unread for `MAX_STUCK_MS` the client is given up, with eight times as much at once. */
export const MAX_UNREAD_BYTES = 8 * 1024 * 1024
export const MAX_STUCK_MS = 30_000

export class EventStream {
  readonly response: ServerResponse
  #unsent = ''
  #stuckSince: number | undefined

  constructor(response: ServerResponse, headers?: Readonly<Record<string, string>>) {
    this.response = response
    if (!response.destroyed)
      response.writeHead(200, headers === undefined ? EVENT_STREAM_HEADERS : { ...EVENT_STREAM_HEADERS, ...headers })
  }

  get open(): boolean {
    return !this.response.destroyed && !this.response.writableEnded
  }

  send(data: string, id?: string, event = 'message'): void {
    this.#write(
      id === undefined ? `event: ${event}\ndata: ${data}\n\n` : `event: ${event}\nid: ${id}\ndata: ${data}\n\n`,
    )
  }

  /** An id without a message: from here on the client can come back. */
  prime(id: string, retryMs: number): void {
    this.#write(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`)
  }

  comment(text: string): void {
    this.#write(`: ${text}\n\n`)
  }

  end(): void {
    if (!this.open) return
    const rest = this.#unsent
    this.#unsent = ''
    if (rest === '') this.response.end()
    else this.response.end(rest)
  }

  /** Destroys the connection of a client that has stopped reading. */
  checkReader(now: number): void {
    if (!this.response.writableNeedDrain || this.response.writableLength < MAX_UNREAD_BYTES) {
      this.#stuckSince = undefined
      return
    }
    this.#stuckSince ??= now
    if (now - this.#stuckSince >= MAX_STUCK_MS) this.response.destroy()
  }

  #write(text: string): void {
    const { response } = this
    if (!this.open) return
    if (response.writableLength + this.#unsent.length > MAX_UNREAD_BYTES * 8) {
      response.destroy()
      return
    }
    if (this.#unsent === '') process.nextTick(flush, this)
    this.#unsent += text
  }

  /** What was written in this turn leaves. */
  flush(): void {
    const text = this.#unsent
    this.#unsent = ''
    if (text !== '' && this.open) this.response.write(text)
  }
}

function flush(stream: EventStream): void {
  stream.flush()
}
