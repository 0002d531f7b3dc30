import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { printLogout } from '../config/print-logout.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const { out } = context
  const outcome = await runWithBackend(context, { only: name, isSilent: true }, (backend) => backend.logOut(name))
  if (context.isJson) {
    printJson(context, { ok: true, server: name, ...outcome })
    return EXIT.ok
  }
  if (outcome.wasLoggedIn) printLogout(out, name, outcome)
  else out.line(`nobody was logged in to ${out.style.bold(name)}`)
  return EXIT.ok
}
