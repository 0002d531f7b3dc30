import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { startInBackground } from '../daemon-process/start-in-background.ts'
import { EXIT } from '../program/exit-code.ts'
import { printRunning, toRunningJson } from '../status/running-daemon.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  if (options.flag('foreground')) {
    const { runInForeground } = await import('../foreground/run-in-foreground.ts')
    return runInForeground(context)
  }
  const started = await startInBackground(context)
  if (context.isJson) printJson(context, toRunningJson(started))
  else printRunning(context, started)
  return EXIT.ok
}
