/** `/mcp`: both eras on one path. Says once, from headers and body, which era a request belongs to. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isJsonObject, SwitchboardError } from '@switchboard/protocol'
import type { Identity } from '../identity.ts'
import { type LegacyEndpoint, SESSION_HEADER } from './legacy-endpoint.ts'
import { isModernPost, type ModernHttp } from './modern-http.ts'
import { readAccept } from './negotiation.ts'
import { type MessageLimits, readMessage } from './read-message.ts'
import { refuse } from './write-response.ts'

export class McpEndpoint {
  readonly #legacy: LegacyEndpoint
  readonly #modern: ModernHttp
  readonly #limits: MessageLimits

  constructor(legacy: LegacyEndpoint, modern: ModernHttp, limits: MessageLimits) {
    this.#legacy = legacy
    this.#modern = modern
    this.#limits = limits
  }

  handle(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const { method, headers } = request
    if (method === 'POST') {
      this.#post(request, response, identity)
    } else if ((method === 'GET' || method === 'DELETE') && headers[SESSION_HEADER] !== undefined) {
      if (method === 'GET') this.#legacy.get(request, response, readAccept(headers.accept), identity)
      else this.#legacy.delete(request, response, identity)
    } else {
      const message = `${method} is not served here without a session; send requests by POST`
      refuse(response, new SwitchboardError('invalid_request', message), {
        status: 405,
        headers: { allow: 'POST, GET, DELETE' },
      })
    }
  }

  #post(request: IncomingMessage, response: ServerResponse, identity: Identity): void {
    const { headers } = request
    const accepts = readAccept(headers.accept)
    if (!accepts.json && !accepts.events) {
      const message = `Answers are application/json or text/event-stream, and the client accepts ${headers.accept}`
      refuse(response, new SwitchboardError('invalid_request', message), { status: 406 })
      return
    }
    readMessage(request, response, this.#limits, (body) => {
      if (isModernPost(headers, body) && isJsonObject(body)) {
        this.#modern.post(headers, response, body, accepts, identity)
      } else this.#legacy.post(request, response, body, accepts, identity)
    })
  }
}
