/** Answers to what is no request that could be read, in JSON like everything else. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createRawResponse, refuse } from './write-response.ts'

export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const message = `The request could not be read: ${STATUS_CODES[status]}`
  socket.end(
    createRawResponse(status, STATUS_CODES[status] ?? 'Error', new SwitchboardError('invalid_request', message)),
  )
}

export function onUnknownExpectation({ headers }: IncomingMessage, response: ServerResponse): void {
  const error = new SwitchboardError('invalid_request', `Nothing is known of Expect: ${headers.expect}`)
  refuse(response, error, { status: 417 })
}
