import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { type StopOutcome, stopDaemon } from '../daemon-process/stop-daemon.ts'
import { EXIT } from '../program/exit-code.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const drain = options.text('drain')
  const outcome = await stopDaemon(context, {
    ...(drain === undefined ? {} : { drain: readDuration(drain, 'drain', 'down') }),
    force: options.flag('force'),
  })
  report(context, outcome)
  return EXIT.ok
}

function report(context: CommandContext, outcome: StopOutcome): void {
  const { out, isJson } = context
  if (isJson) {
    const stopped = outcome.kind === 'stopped'
    const details = stopped ? { pid: outcome.pid, forced: outcome.wasForced } : {}
    printJson(context, { ok: true, stopped, ...details })
  } else if (outcome.kind === 'not_running') out.line('No daemon is running; there is nothing to stop.')
  else {
    const how = outcome.wasForced ? ', by force' : ''
    out.line(`${out.style.green('stopped')} the daemon (pid ${outcome.pid})${how}, and every server with it`)
  }
}
