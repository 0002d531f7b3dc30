/** Many requests on one connection without waiting for each: the answers come in their order, and none may be missing. */
import { connect, type Socket } from 'node:net'

export interface PipelinedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface PipelinedResponse {
  readonly status: number
  readonly contentType: string | undefined
  readonly body: string
}

export class PipelinedConnection {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #wake: (() => void) | undefined

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake?.()
    })
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => this.#wake?.())
  }

  async send(requests: readonly PipelinedRequest[]): Promise<PipelinedResponse[]> {
    this.#socket.write(requests.map(format).join(''))
    const responses: PipelinedResponse[] = []
    while (responses.length < requests.length) {
      const read = readResponse(this.#received)
      if (read !== undefined) {
        this.#received = this.#received.subarray(read.end)
        responses.push(read.response)
      } else if (this.#socket.destroyed || this.#socket.readableEnded) {
        throw new Error(
          `Closed after ${responses.length} of ${requests.length}: ${this.#received.toString().slice(0, 300)}`,
        )
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
    return responses
  }

  close(): void {
    this.#socket.destroy()
  }
}

function format({ method, path, headers, body }: PipelinedRequest): string {
  const lines = Object.entries({ host: '127.0.0.1', ...headers, 'content-length': String(Buffer.byteLength(body)) })
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

/** Undefined: not all of it is there yet. */
export function readResponse(bytes: Buffer): { response: PipelinedResponse; end: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.subarray(0, headEnd).toString()
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  // "Go on" is not the answer yet.
  if (status === 100) {
    const next = readResponse(bytes.subarray(headEnd + 4))
    return next && { response: next.response, end: headEnd + 4 + next.end }
  }
  const contentType = /^content-type: (.*)$/im.exec(head)?.[1]
  const start = headEnd + 4
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  if (length !== undefined) {
    const end = start + Number(length)
    if (bytes.length < end) return undefined
    return { response: { status, contentType, body: bytes.subarray(start, end).toString() }, end }
  }
  if (/^transfer-encoding: chunked$/im.test(head)) {
    const chunks = readChunks(bytes, start)
    return chunks && { response: { status, contentType, body: chunks.body }, end: chunks.end }
  }
  return { response: { status, contentType, body: '' }, end: start }
}

function readChunks(bytes: Buffer, start: number): { body: string; end: number } | undefined {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16)
    const end = lineEnd + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return { body: Buffer.concat(parts).toString(), end }
    parts.push(bytes.subarray(lineEnd + 2, end - 2))
    at = end
  }
}
