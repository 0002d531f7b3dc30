/**
 * Lets pages of the origins that are configured read what is answered to them, and pages of no others: not even of
 * loopback, where anything may run. A browser asks before it sends (the preflight), and shows no credential then.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** True: it was a browser's question, and is answered. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean

/** What a page may read besides the body. */
const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after'
const PREFLIGHT_KEPT_SECONDS = 600

export function createCors(allowedOrigins: readonly string[]): Cors {
  const origins = new Set(allowedOrigins.map(normaliseOrigin))
  return (request, response) => {
    const { origin } = request.headers
    if (origin === undefined || !origins.has(normaliseOrigin(origin))) return false
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('vary', 'origin')
    const asked = request.headers['access-control-request-method']
    if (request.method !== 'OPTIONS' || asked === undefined) {
      response.setHeader('access-control-expose-headers', EXPOSED)
      return false
    }
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    // Names of headers may depend on the tool (`Mcp-Param-…`): whatever is asked for may be sent.
    const headers = request.headers['access-control-request-headers']
    if (headers !== undefined) response.setHeader('access-control-allow-headers', headers)
    if (request.headers['access-control-request-private-network'] !== undefined)
      response.setHeader('access-control-allow-private-network', 'true')
    response.setHeader('access-control-max-age', PREFLIGHT_KEPT_SECONDS)
    response.writeHead(204)
    response.end()
    return true
  }
}

/** As browsers write it, whatever the configuration looks like. */
export function normaliseOrigin(origin: string): string {
  return origin.toLowerCase().replace(/\/$/, '')
}
