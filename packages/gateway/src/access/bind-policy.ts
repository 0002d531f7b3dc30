/**
 * Which addresses may be listened on. On this machine's own loopback some may be served without a credential;
 * an address that others can reach needs authentication, and without it nothing is opened. A host that is not surely
 * loopback counts as reachable.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { SwitchboardError } from '@switchboard/protocol/errors'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Throws `invalid_configuration` for an address beyond loopback without authentication. */
export function checkBind(host: string, hasAuthentication: boolean): void {
  if (hasAuthentication || isLoopbackHost(host)) return
  const shown = host.trim() === '' ? 'every address of this machine (no host was given)' : JSON.stringify(host)
  throw new SwitchboardError(
    'invalid_configuration',
    `Refusing to listen on ${shown} without authentication: whoever reaches it could use every server behind the gateway`,
    {
      hint: 'Listen on 127.0.0.1, or ask for a credential: set `gateway.auth` to `token` and create one with `switchboard token create`, or configure OAuth.',
      details: { host },
    },
  )
}

/** 127.0.0.0/8, ::1, both also in IPv4-mapped and bracketed form, and `localhost`. Unspecified addresses are not. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.trim().toLowerCase()
  if (bare === 'localhost' || bare === 'localhost.') return true
  const address = bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare
  if (isIPv4(address)) return LOOPBACK.check(address, 'ipv4')
  return isIPv6(address) && !address.includes('%') && LOOPBACK.check(address, 'ipv6')
}
