import type { ServerTrust } from '@switchboard/daemon/client'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount, formatPath } from '../terminal/format.ts'
import { askProject } from '../trust/ask-project.ts'
import { askTrust } from '../trust/ask-trust.ts'
import { describeState, printRemarks, printTrustTable, printWaiting } from '../trust/print-trust.ts'

export async function run(context: CommandContext, { positionals: [server] }: CommandInput): Promise<number> {
  const { out } = context
  const one = server === undefined ? {} : { server, whole: true }
  const servers = await askTrust(context, (trust) => trust.list(one))
  const projects = server === undefined ? await askProject(context, (project) => project.list()) : []
  if (context.isJson) {
    printJson(context, server === undefined ? { servers, projects } : { servers })
    return EXIT.ok
  }
  if (servers.length === 0) out.line('No server is configured, and none was ever seen.')
  else printServers(context, servers, server)
  for (const { folder, servers: trusted } of projects) {
    out.line(
      `${out.style.bold(formatPath(folder, context.home.userHome))}: ${formatCount(trusted.length, 'server')} of this project trusted`,
    )
  }
  return EXIT.ok
}

function printServers(context: CommandContext, servers: readonly ServerTrust[], server: string | undefined): void {
  const { out } = context
  const waiting = servers.flatMap((trust) => trust.waiting)
  if (server === undefined) printTrustTable(context, servers)
  else {
    for (const trust of servers) {
      out.line(`${out.style.bold(trust.server)}: ${describeState(trust)}`)
      printRemarks(context, trust)
    }
    printWaiting(context, waiting)
  }
  const [first] = servers.filter((trust) => trust.isConfigured && trust.waiting.length + trust.remarks.length > 0)
  if (first === undefined) return
  const next =
    server === undefined ? `trust list ${first.server}" shows what changed` : `trust accept ${server}" accepts it`
  out.line(out.style.dim(`"switchboard ${next}.`))
}
