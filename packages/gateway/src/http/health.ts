/**
 * `/healthz`: the process answers, and no more, for it is told to everybody. `/readyz`: it takes requests, what it is busy
 * with, and how each server of the caller's profile is.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { OWN_PROVIDER } from '@switchboard/protocol/naming'
import type { View } from '../router/view.ts'
import { refuse, writeJson } from './write-response.ts'

export function answerHealth(request: IncomingMessage, response: ServerResponse, path: string): void {
  if (isLooking(request, response, path)) writeJson(response, 200, JSON.stringify({ status: 'ok' }))
}

export interface Readiness {
  readonly view: View
  readonly stats: object
  readonly isStopping: boolean
}

export function answerReadiness(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { view, stats, isStopping }: Readiness,
): void {
  if (!isLooking(request, response, path)) return
  const servers = view.providers.filter(({ name }) => name !== OWN_PROVIDER)
  const states = servers.map((provider) => [provider.name, provider.status().state])
  const status = isStopping ? 'stopping' : 'ready'
  const body = { status, ...stats, providers: Object.fromEntries(states) }
  writeJson(response, isStopping ? 503 : 200, JSON.stringify(body))
}

function isLooking({ method }: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const error = new SwitchboardError('invalid_request', `${method} is not served at ${path}`)
  refuse(response, error, { status: 405, headers: { allow: 'GET, HEAD' } })
  return false
}
