/** The message in the body of a POST, judged; everything that is none is answered here. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Incoming, readIncoming } from '../incoming.ts'
import { withCarrier } from '../trace-request.ts'
import { isJsonContentType } from './negotiation.ts'
import type { Turn } from './turn.ts'
import { refuse, writeAnswer } from './write-response.ts'

export interface MessageLimits {
  readonly maxBodyBytes: number
  readonly maxJsonDepth: number
  readonly turn: Turn
  /** Gets what `onMessage` throws, which is our bug. */
  onBug(thrown: unknown, response: ServerResponse): void
}

export function readMessage(
  request: IncomingMessage,
  response: ServerResponse,
  limits: MessageLimits,
  onMessage: (incoming: Incoming) => void,
): void {
  const type = request.headers['content-type']
  if (!isJsonContentType(type)) {
    const message = `The Content-Type is ${type === undefined ? 'missing' : JSON.stringify(type)}, not application/json`
    refuse(response, new SwitchboardError('invalid_request', message), { status: 415 })
    return
  }
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    const message = `The Content-Encoding ${JSON.stringify(encoding)} is not read here; send plain JSON`
    refuse(response, new SwitchboardError('invalid_request', message), { status: 415 })
    return
  }
  readBody(request, limits.maxBodyBytes, (body) => {
    const take = (): void => {
      // Gone since the body was read; its response will not say so once more.
      if (request.socket.destroyed) return
      try {
        takeBody(body, response, limits, (incoming) => onMessage(withCarrier(incoming, request.headers)))
      } catch (thrown) {
        limits.onBug(thrown, response)
      }
    }
    if (limits.turn.isFirst(take)) take()
  })
}

function takeBody(
  body: Body,
  response: ServerResponse,
  limits: MessageLimits,
  onMessage: (incoming: Incoming) => void,
): void {
  if (body.type === 'too_large') {
    const message = `The body is larger than ${limits.maxBodyBytes} bytes`
    const error = new SwitchboardError('request_too_large', message, { details: { maxBytes: limits.maxBodyBytes } })
    refuse(response, error, { status: 413, headers: { connection: 'close' } })
    return
  }
  const incoming = readIncoming(body.text, limits.maxJsonDepth)
  if (incoming.kind === 'unreadable') writeAnswer(response, 400, incoming.answer)
  else onMessage(incoming)
}

type Body = { readonly type: 'text'; readonly text: string } | { readonly type: 'too_large' }

/** Closing a socket on a client that still sends would destroy our answer on its way; so much is read and forgotten. */
const MAX_DISCARDED = 64 * 1024 * 1024

/** `done` is not called when the client goes away before the end: there is nobody to answer. */
function readBody(request: IncomingMessage, maxBytes: number, done: (body: Body) => void): void {
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
