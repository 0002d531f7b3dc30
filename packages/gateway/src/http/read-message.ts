/** The message in the body of a POST; everything that is none is answered here. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SwitchboardError } from '@switchboard/protocol'
import { parseMessage } from '../parse-message.ts'
import { isJsonContentType } from './negotiation.ts'
import { type Body, readBody } from './read-body.ts'
import type { Turn } from './turn.ts'
import { refuse, writeFailure } from './write-response.ts'

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
  onMessage: (message: unknown) => void,
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
  readBody(request, limits.maxBodyBytes, (body) =>
    limits.turn.run(() => {
      // Gone since the body was read; its response will not say so once more.
      if (request.socket.destroyed) return
      try {
        takeBody(body, response, limits, onMessage)
      } catch (thrown) {
        limits.onBug(thrown, response)
      }
    }),
  )
}

function takeBody(
  body: Body,
  response: ServerResponse,
  limits: MessageLimits,
  onMessage: (message: unknown) => void,
): void {
  if (body.type === 'too_large') {
    const message = `The body is larger than ${limits.maxBodyBytes} bytes`
    const error = new SwitchboardError('request_too_large', message, { details: { maxBytes: limits.maxBodyBytes } })
    refuse(response, error, { status: 413, headers: { connection: 'close' } })
    return
  }
  const parsed = parseMessage(body.text, limits.maxJsonDepth)
  if (parsed.ok) onMessage(parsed.value)
  else writeFailure(response, 400, parsed.error)
}
