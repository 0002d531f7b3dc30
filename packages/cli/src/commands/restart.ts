import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { startInBackground } from '../daemon-process/start-in-background.ts'
import { stopDaemon } from '../daemon-process/stop-daemon.ts'
import { EXIT } from '../program/exit-code.ts'
import { printRunning, toRunningJson } from '../status/running-daemon.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { out } = context
  const drain = options.text('drain')
  const stopped = await stopDaemon(context, {
    ...(drain === undefined ? {} : { drain: readDuration(drain, 'drain', 'restart') }),
    force: options.flag('force'),
  })
  if (!context.isJson && stopped.kind === 'stopped') out.line(`stopped the daemon (pid ${stopped.pid})`)
  const started = await startInBackground(context)
  const previous = stopped.kind === 'stopped' ? { previousPid: stopped.pid } : {}
  if (context.isJson) printJson(context, { ...toRunningJson(started), ...previous })
  else printRunning(context, started)
  return EXIT.ok
}
