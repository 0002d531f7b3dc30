/** The body of a request as text, or why there is none. */
import type { IncomingMessage } from 'node:http'

export type Body = { readonly type: 'text'; readonly text: string } | { readonly type: 'too_large' }

/** Closing a socket on a client that still sends would destroy our answer on its way; so much is read and forgotten. */
const MAX_DISCARDED = 64 * 1024 * 1024

/** `done` is not called when the client goes away before the end: there is nobody to answer. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
  let first: Buffer | undefined
  let more: Buffer[] | undefined
  let size = 0
  let finished = false
  const announced = Number(request.headers['content-length'])
  const finish = (body: Body): void => {
    if (finished) return
    finished = true
    done(body)
  }
  const finishText = (): void => {
    const text = more === undefined ? (first?.toString() ?? '') : Buffer.concat(more).toString()
    finish({ type: 'text', text })
  }
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) {
      first = undefined
      more = undefined
      if (size > maxBytes + MAX_DISCARDED) finish({ type: 'too_large' })
    } else if (first === undefined) first = chunk
    else if (more === undefined) more = [first, chunk]
    else more.push(chunk)
    // Whole: the stream's own end comes a turn of the queue later, and is waited for only where it alone tells.
    if (size === announced && size <= maxBytes) finishText()
  })
  request.on('end', () => {
    if (size > maxBytes) finish({ type: 'too_large' })
    else finishText()
  })
}
