import { createFileLogger, LogHold, logFileName, readLogLevel } from '@switchboard/telemetry'
import type { OptionValues } from '../command-line/option-values.ts'
import type { BareContext, CommandContext } from './command-context.ts'
import { openHome, readInstanceId } from './home.ts'

/** Everything a command needs besides its terminal: the home, an instance id and a log of its own. */
export async function openContext(bare: BareContext, options: OptionValues): Promise<CommandContext> {
  const inst = readInstanceId(bare.io.env)
  const home = await openHome(options, bare.io)
  const file = logFileName({ runtime: 'command', inst })
  const level = readLogLevel(bare.io.env)
  const logHold = new LogHold()
  // Who asks for every step wants to read them.
  if (level === 'debug') logHold.keep()
  const log = createFileLogger({ directory: home.logs, file, inst, level, hold: logHold })
  return { ...bare, home, inst, log, logHold }
}
