import { readAudit } from '@switchboard/telemetry'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCalls, formatTrace } from '../trace/format-trace.ts'
import { readTrace } from '../trace/read-trace.ts'

const DEFAULT_LAST = 20

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [text] = positionals
  if (options.flag('last')) return printLast(context, text)
  if (text === undefined) {
    throw new UsageError('Which call? A trace id is missing.', {
      command: 'trace',
      hint: 'switchboard trace --last lists the last calls with theirs; errors name it as well.',
    })
  }
  const { home, out } = context
  const trace = await readTrace(text, home)
  if (context.isJson) printJson(context, trace)
  else for (const line of formatTrace(trace, out.style)) await out.writeSlowly(`${line}\n`)
  return EXIT.ok
}

async function printLast(context: CommandContext, text: string | undefined): Promise<number> {
  const limit = text === undefined ? DEFAULT_LAST : Number(text)
  if (!Number.isInteger(limit) || limit < 1) {
    throw new UsageError(`--last cannot show "${text}" calls.`, { command: 'trace', hint: 'Write a whole number.' })
  }
  const { home, out, err } = context
  const calls = await readAudit({ directory: home.traces, limit })
  if (context.isJson) printJson(context, { calls })
  else if (calls.length === 0) err.line(err.style.dim(`no call is recorded in ${home.traces}`))
  else for (const line of formatCalls(calls, { style: out.style, width: out.width })) await out.writeSlowly(`${line}\n`)
  return EXIT.ok
}
