import type { CommandInput } from '../command-line/command-spec.ts'
import type { CommandContext } from '../context/command-context.ts'
import { printLogs } from '../logs/print-logs.ts'
import { readLogQuery } from '../logs/read-log-query.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  return printLogs(context, readLogQuery(options, context.home.logs, 'logs'), { isFollowing: options.flag('follow') })
}
