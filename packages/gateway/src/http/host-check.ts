/**
 * Protection against DNS rebinding and against web pages of other origins. A browser always tells the Host it believes to
 * talk to, for a page the Origin where the page may learn something, and (`Sec-Fetch-Site`) how far from us the page is; a
 * page that made its own name resolve to this machine shows that name.
 *
 * Served: loopback names, the address that is bound, and what is configured. A page that a browser says is not ours needs
 * its origin configured, also one of this machine: anything may run on another port. Without a browser's word an Origin of
 * loopback passes a plain request, whose answer CORS keeps from pages, but never an upgrade, which CORS does not know.
 * Neither header: no browser's page.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { SwitchboardError } from '@switchboard/protocol/errors'
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
export type HostCheck = (headers: IncomingHttpHeaders, kind?: 'request' | 'upgrade') => SwitchboardError | undefined

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]']
/** Our own pages, and what a person typed or an extension asks. All else, and what browsers may come to say, is foreign. */
const OWN_SITES: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none'])
const WILDCARDS: ReadonlySet<string> = new Set(['', '0.0.0.0', '::', '[::]'])

export function createHostCheck({ host, allowedHosts = [], allowedOrigins = [] }: HostCheckOptions): HostCheck {
  const hosts = new Set([...LOOPBACK_NAMES, ...allowedHosts.map((name) => name.toLowerCase())])
  if (!WILDCARDS.has(host)) hosts.add(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host.toLowerCase())
  const origins = new Set(allowedOrigins.map(normaliseOrigin))

  // Nearly every request says what the last one said.
  let lastKnown: string | undefined
  const isKnownHost = (value: string): boolean => {
    if (value === lastKnown) return true
    const lower = value.toLowerCase()
    if (!hosts.has(lower) && !hosts.has(withoutPort(lower))) return false
    lastKnown = value
    return true
  }
  const isOwnOrigin = (origin: string, ownHost: string, isLoopbackOurs: boolean): boolean => {
    const match = /^https?:\/\/([^/]+)$/.exec(origin)
    if (match === null) return false
    const authority = match[1] ?? ''
    // The Host was checked before, so a page from there is one of ours.
    return authority === ownHost.toLowerCase() || (isLoopbackOurs && LOOPBACK_NAMES.includes(withoutPort(authority)))
  }

  return ({ host: received, origin, 'sec-fetch-site': site }, kind = 'request') => {
    if (received === undefined || !isKnownHost(received)) {
      // RFC 9112: one Host. The listener joins several with a comma, as no name has one.
      return received?.includes(',') === true
        ? new SwitchboardError('invalid_request', `There is more than one Host: ${describe(received)}`)
        : new SwitchboardError('forbidden', `The Host ${describe(received)} is not one that is served here`)
    }
    if (origin === undefined && OWN_SITES.has(site)) return undefined
    const lower = origin?.toLowerCase()
    if (lower !== undefined && origins.has(lower)) return undefined
    if (!OWN_SITES.has(site)) return refuseOrigin(`A page of another site (${describe(String(site))})`, origin)
    if (lower !== undefined && isOwnOrigin(lower, received, kind === 'request')) return undefined
    return refuseOrigin('A page', origin)
  }
}

function refuseOrigin(who: string, origin: string | undefined): SwitchboardError {
  const from = origin === undefined ? '' : `: the Origin ${describe(origin)} is not one of ours`
  return new SwitchboardError('forbidden', `${who} may not call${from}`, {
    hint: 'A page that should has its origin in `gateway.allowedOrigins`.',
  })
}

function withoutPort(authority: string): string {
  return authority.replace(/:\d{1,5}$/, '')
}

function describe(value: string | undefined): string {
  return value === undefined ? 'header is missing and' : JSON.stringify(value.slice(0, 200))
}
