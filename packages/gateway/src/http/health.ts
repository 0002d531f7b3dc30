/** `/healthz`: the process answers. `/readyz`: it takes requests, and how each server is. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { OWN_PROVIDER, SwitchboardError } from '@switchboard/protocol'
import type { Gateway } from '../gateway.ts'
import { refuse, writeJson } from './write-response.ts'

export interface Health {
  readonly gateway: Gateway
  readonly stats: object
  readonly isStopping: boolean
}

export function answerHealth(request: IncomingMessage, response: ServerResponse, path: string, health: Health): void {
  const { gateway, stats, isStopping } = health
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    const error = new SwitchboardError('invalid_request', `${request.method} is not served at ${path}`)
    refuse(response, error, { status: 405, headers: { allow: 'GET, HEAD' } })
  } else if (path === '/healthz') writeJson(response, 200, JSON.stringify({ status: 'ok', ...stats }))
  else {
    const servers = gateway.router.providers().filter(({ name }) => name !== OWN_PROVIDER)
    const states = servers.map((provider) => [provider.name, provider.status().state])
    const body = { status: isStopping ? 'stopping' : 'ready', providers: Object.fromEntries(states) }
    writeJson(response, isStopping ? 503 : 200, JSON.stringify(body))
  }
}
