import type { LoginOutcome } from '@switchboard/pool'
import type { Terminal } from '../terminal/terminal.ts'

/** What became of a login that was ended, and of the token at the other side. */
export function printLogout(out: Terminal, server: string, { revoked }: LoginOutcome): void {
  const { style } = out
  out.line(`${style.green('logged out')} of ${style.bold(server)}: the token is gone from this machine`)
  if (revoked === true) out.line(style.dim('the authorization server was told, and does not take it any more'))
  if (revoked === false) {
    out.line(style.yellow('the authorization server could not be told: end the access there as well, if it matters'))
  }
  if (revoked === undefined)
    out.line(style.dim('the authorization server has no way to be told: there it expires by itself'))
}
