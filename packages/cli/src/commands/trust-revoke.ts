import { resolve } from 'node:path'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatPath } from '../terminal/format.ts'
import { askProject, isFolder } from '../trust/ask-project.ts'
import { askTrust } from '../trust/ask-trust.ts'

export async function run(context: CommandContext, { positionals: [server = ''] }: CommandInput): Promise<number> {
  const { out, io } = context
  if (isFolder(server)) {
    const { folder, revoked } = await askProject(context, (project) => project.revoke(resolve(io.cwd, server)))
    const shown = formatPath(folder, context.home.userHome)
    if (context.isJson) printJson(context, { folder, revoked })
    else if (revoked) out.line(`Took ${shown} back: none of its servers runs until "switchboard trust" there.`)
    else out.line(`Nothing of ${shown} was trusted.`)
    return EXIT.ok
  }
  const { isConfigured, held } = await askTrust(context, (trust) => trust.revoke({ server }))
  if (context.isJson) printJson(context, { server, isConfigured, held })
  else if (!isConfigured) out.line(`Forgot what was accepted of ${server}, which is not configured any more.`)
  else out.line(`Took ${server} back: agents get nothing of it until "switchboard trust accept ${server}".`)
  return EXIT.ok
}
