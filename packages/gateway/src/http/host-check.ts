/**
 * Protection against DNS rebinding and against web pages of other origins. A browser always tells the Host it believes to
 * talk to and, for a page, the Origin; a page that made its own name resolve to this machine shows that name.
 *
 * Served: loopback names, the address that is bound, and what is configured. An absent Origin is no browser's page.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { SwitchboardError } from '@switchboard/protocol'
import { normaliseOrigin } from './cors.ts'

export interface HostCheckOptions {
  /** The address that is bound. */
  readonly host: string
  /** Further names, with or without a port. */
  readonly allowedHosts?: readonly string[]
  /** Further origins, such as `https://agents.example`. */
  readonly allowedOrigins?: readonly string[]
}

/** Undefined: may come in. */
export type HostCheck = (headers: IncomingHttpHeaders) => SwitchboardError | undefined

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
const WILDCARDS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]'])

export function createHostCheck({ host, allowedHosts = [], allowedOrigins = [] }: HostCheckOptions): HostCheck {
  const hosts = new Set([...LOOPBACK_NAMES, ...allowedHosts.map((name) => name.toLowerCase())])
  if (!WILDCARDS.has(host)) hosts.add(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase())
  const origins = new Set(allowedOrigins.map(normaliseOrigin))

  const isKnownHost = (value: string): boolean => {
    const lower = value.toLowerCase()
    return hosts.has(lower) || hosts.has(withoutPort(lower))
  }
  const isKnownOrigin = (origin: string, ownHost: string): boolean => {
    const lower = origin.toLowerCase()
    if (origins.has(lower)) return true
    const match = /^https?:\/\/([^/]+)$/.exec(lower)
    if (match === null) return false
    const authority = match[1] ?? ''
    // The Host was checked before, so a page from there is one of ours.
    return LOOPBACK_NAMES.includes(withoutPort(authority)) || authority === ownHost.toLowerCase()
  }

  return ({ host: received, origin }) => {
    if (received === undefined || !isKnownHost(received)) {
      return new SwitchboardError('forbidden', `The Host ${describe(received)} is not one that is served here`)
    }
    if (origin !== undefined && !isKnownOrigin(origin, received)) {
      return new SwitchboardError('forbidden', `The Origin ${describe(origin)} is not one that is served here`)
    }
    return undefined
  }
}

function withoutPort(authority: string): string {
  const colon = authority.lastIndexOf(':')
  return colon > authority.lastIndexOf(']') ? authority.slice(0, colon) : authority
}

function describe(value: string | undefined): string {
  return value === undefined ? 'header is missing and' : JSON.stringify(value.slice(0, 200))
}
