import { followLogs, type LogQuery, readLogs } from '@switchboard/telemetry'
import type { CommandContext } from '../context/command-context.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { readInterruption } from '../program/io.ts'
import { endOfWatch } from '../status/end-of-watch.ts'
import { formatLogLine } from './format-log-line.ts'

export interface PrintLogsOptions {
  readonly isFollowing: boolean
  /** A last look at where a line comes from. */
  readonly isWanted?: (source: string) => boolean
}

export async function printLogs(
  context: CommandContext,
  query: LogQuery,
  { isFollowing, isWanted = () => true }: PrintLogsOptions,
): Promise<number> {
  const { out, err, io, isJson } = context
  const lines = isFollowing ? followLogs({ ...query, signal: io.signal }) : readLogs(query)
  let count = 0
  for await (const line of lines) {
    if (io.signal.aborted) break
    if (!isWanted(line.source)) continue
    count++
    await out.writeSlowly(`${isJson ? JSON.stringify(line) : formatLogLine(line, out.style)}\n`)
  }
  if (count === 0 && !isFollowing && !isJson) err.line(err.style.dim(`no lines match in ${query.directory}`))
  if (isFollowing) return endOfWatch(io)
  const interruption = readInterruption(io.signal)
  return interruption === undefined ? EXIT.ok : exitCodeOfInterruption(interruption)
}
