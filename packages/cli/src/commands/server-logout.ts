import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const { out } = context
  const outcome = await runWithBackend(context, { only: name, isSilent: true }, (backend) => backend.logOut(name))
  if (context.isJson) {
    printJson(context, { ok: true, server: name, ...outcome })
    return EXIT.ok
  }
  const { wasLoggedIn, revoked } = outcome
  if (!wasLoggedIn) {
    out.line(`nobody was logged in to ${out.style.bold(name)}`)
    return EXIT.ok
  }
  out.line(`${out.style.green('logged out')} of ${out.style.bold(name)}: the token is gone from this machine`)
  if (revoked === true) out.line(out.style.dim('the authorization server was told, and does not take it any more'))
  if (revoked === false) {
    out.line(
      out.style.yellow('the authorization server could not be told: end the access there as well, if it matters'),
    )
  }
  if (revoked === undefined)
    out.line(out.style.dim('the authorization server has no way to be told: there it expires by itself'))
  return EXIT.ok
}
