import { isLoginKept, removeServer } from '@switchboard/daemon/configuration'
import type { LoginOutcome } from '@switchboard/pool'
import { toSwitchboardError } from '@switchboard/protocol/errors'
import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { editOptions, readConfigFile } from '../config/change-config.ts'
import { editServer } from '../config/edit-server.ts'
import { printLogout } from '../config/print-logout.ts'
import type { CommandContext } from '../context/command-context.ts'

/** Its login ends first: nobody could tell later whose it was. */
export async function run(context: CommandContext, { positionals: [name = ''] }: CommandInput): Promise<number> {
  const change = (text: string): string => removeServer(text, name, editOptions(context))
  const text = await readConfigFile(context)
  // What speaks against the change does so before anybody is logged out.
  if (text !== undefined) change(text)
  const login = await endLogin(context, name)
  const code = await editServer(context, { name, done: 'removed', change, ...(login === undefined ? {} : { login }) })
  if (login?.wasLoggedIn === true && !context.isJson) printLogout(context.out, name, login)
  return code
}

/** Undefined: none is kept. What cannot be ended keeps nobody from removing the server. */
async function endLogin(context: CommandContext, name: string): Promise<LoginOutcome | undefined> {
  if (!(await isLoginKept(context.home.secrets, name))) return undefined
  try {
    return await runWithBackend(context, { only: name, isSilent: true }, (backend) => backend.logOut(name))
  } catch (thrown) {
    const { message } = toSwitchboardError(thrown)
    context.err.line(`${context.err.style.yellow('warning:')} its login is still on this machine: ${message}`)
    return undefined
  }
}
