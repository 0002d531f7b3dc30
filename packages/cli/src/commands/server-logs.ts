import { isInstanceId } from '@switchboard/protocol'
import { logFileName } from '@switchboard/telemetry'
import type { CommandInput } from '../command-line/command-spec.ts'
import type { CommandContext } from '../context/command-context.ts'
import { printLogs } from '../logs/print-logs.ts'
import { readLogQuery } from '../logs/read-log-query.ts'

/** Also of a server that is not configured any more: its output is still there. */
export async function run(
  context: CommandContext,
  { options, positionals: [name = ''] }: CommandInput,
): Promise<number> {
  const source = logFileName({ runtime: 'server', name }).replace(/\.log$/, '')
  const query = readLogQuery(options, context.home.logs, 'server logs', source)
  // What begins alike may be another server: `git` and `git-hub`.
  const isWanted = (found: string): boolean => found === source || isInstanceId(found.slice(source.length + 1))
  return printLogs(context, query, { isFollowing: options.flag('follow'), isWanted })
}
