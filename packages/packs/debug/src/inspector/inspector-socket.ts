/**
 * The WebSocket to an inspector, on our own because of one thing that no library does. Node's inspector leaves Nagle's
 * algorithm on: a message waits until we have acknowledged the one before, and our kernel acknowledges after 40 ms
 * unless something is sent anyway. So every received piece is answered with one byte: a blank at the beginning of a
 * frame that the next request completes (JSON may begin with blanks). That makes a step 0.5 ms instead of 44 ms.
 */
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { ToolError } from '@switchboard/toolkit'
import type { MessagePipe } from './message-pipe.ts'
import { WebSocketFrameReader } from './websocket-frame-reader.ts'

const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const OPEN_FRAME_BYTES = 1024
/** What is kept of an open frame for a request; a longer one gets its own frame. */
const RESERVED_BYTES = 640
/** Completes an open frame that is too short for the request behind it; the refusal is dropped. */
const FILLER = '{"id":0,"method":"-"}'
const BLANK = 0x20

export interface SocketOptions {
  readonly signal?: AbortSignal
  readonly timeout: number
}

export function connectInspector(url: string, { signal, timeout }: SocketOptions): Promise<InspectorSocket> {
  const { hostname, port, pathname } = new URL(url)
  const key = randomBytes(16).toString('base64')
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown): void =>
      reject(
        signal?.aborted
          ? new ToolError('E_CANCELLED', 'The start of the debugger was cancelled.')
          : new ToolError('E_LAUNCH_FAILED', `The inspector at ${hostname}:${port} ${why}.`, { cause }),
      )
    const attempt = request({
      host: hostname,
      port,
      path: pathname,
      agent: false,
      timeout,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': key,
        'Sec-WebSocket-Version': '13',
      },
    })
    // Only until it is connected: whoever asked for the start may cancel something else with the same signal later.
    const abort = (): void => {
      attempt.destroy(new Error('cancelled'))
    }
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    attempt.on('close', () => signal?.removeEventListener('abort', abort))
    attempt.on('timeout', () => attempt.destroy(new Error('time-out')))
    attempt.on('error', (error) => fail(`does not answer: ${error.message}`, error))
    attempt.on('response', (response) => {
      response.resume()
      fail(`is none: it answered ${response.statusCode} to a WebSocket`)
      attempt.destroy()
    })
    attempt.on('upgrade', (response, socket: Socket, head) => {
      const wanted = createHash('sha1')
        .update(key + ACCEPT_SUFFIX)
        .digest('base64')
      if (response.headers['sec-websocket-accept'] !== wanted) {
        socket.destroy()
        return fail('does not speak WebSocket')
      }
      signal?.removeEventListener('abort', abort)
      socket.setTimeout(0)
      resolve(new InspectorSocket(socket, head))
    })
    attempt.end()
  })
}

export class InspectorSocket implements MessagePipe {
  readonly #socket: Socket
  readonly #reader: WebSocketFrameReader
  /** Bytes that the frame at hand still lacks; 0: there is none. */
  #open = 0
  #closed = false
  #onMessage: (text: string) => void = () => {}
  #onTooLarge: (beginning: string) => void = () => {}
  #onClose: (reason: string) => void = () => {}

  constructor(socket: Socket, head: Buffer) {
    this.#socket = socket
    socket.setNoDelay(true)
    this.#reader = new WebSocketFrameReader({
      text: (text) => this.#onMessage(text),
      tooLarge: (beginning) => this.#onTooLarge(beginning),
      close: () => this.#end('the inspector closed the connection'),
      garbage: (what) => this.#end(`the inspector sent ${what}`),
    })
    socket.on('data', (data: Buffer) => this.#receive(data))
    socket.on('error', (error) => this.#end(error.message))
    socket.on('close', () => this.#end('the connection ended'))
    if (head.length > 0) setImmediate(() => this.#receive(head))
  }

  listen(on: {
    message: (text: string) => void
    tooLarge: (beginning: string) => void
    close: (reason: string) => void
  }): void {
    this.#onMessage = on.message
    this.#onTooLarge = on.tooLarge
    this.#onClose = on.close
  }

  send(text: string): void {
    if (this.#closed) return
    const payload = Buffer.from(text)
    if (this.#open === 0) {
      this.#socket.write(Buffer.concat([frameHeader(payload.length), payload]))
    } else if (payload.length <= this.#open) {
      this.#complete(payload)
    } else {
      this.#complete(Buffer.from(FILLER))
      this.#socket.write(Buffer.concat([frameHeader(payload.length), payload]))
    }
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    // A frame that was begun cannot be followed by a closing one: the end of the stream says it as well.
    this.#socket.end()
    this.#socket.destroySoon()
  }

  #receive(data: Buffer): void {
    if (this.#closed) return
    if (this.#open === 0) {
      this.#socket.write(frameHeader(OPEN_FRAME_BYTES))
      this.#open = OPEN_FRAME_BYTES
    } else if (this.#open > RESERVED_BYTES) {
      this.#socket.write(' ')
      this.#open -= 1
    } else {
      this.#complete(Buffer.from(FILLER))
    }
    this.#reader.push(data)
  }

  #complete(payload: Buffer): void {
    const rest = Buffer.alloc(this.#open, BLANK)
    payload.copy(rest)
    this.#open = 0
    this.#socket.write(rest)
  }

  #end(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#socket.destroy()
    this.#onClose(reason)
  }
}

/** A final text frame. The mask must be there, and may be nothing but zeros: it protects proxies, and here is none. */
function frameHeader(length: number): Buffer {
  const masked = 0x80
  if (length < 126) return Buffer.from([0x81, masked | length, 0, 0, 0, 0])
  if (length < 65_536) {
    const header = Buffer.alloc(8)
    header[0] = 0x81
    header[1] = masked | 126
    header.writeUInt16BE(length, 2)
    return header
  }
  const header = Buffer.alloc(14)
  header[0] = 0x81
  header[1] = masked | 127
  header.writeBigUInt64BE(BigInt(length), 2)
  return header
}
