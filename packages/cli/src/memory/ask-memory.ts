/** Asks the memory, or another pack, wherever it runs: in the daemon, or in this process where none does. */
import type { JsonObject } from '@switchboard/protocol'
import type { BackendCommandOptions } from '../backend/backend.ts'
import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandContext } from '../context/command-context.ts'

export type Ask = (command: string, params: JsonObject, options?: BackendCommandOptions) => Promise<JsonObject>

export function askMemory<T>(
  context: CommandContext,
  use: (ask: Ask) => Promise<T>,
  of: 'memory' | 'store' | 'lens' = 'memory',
): Promise<T> {
  return runWithBackend(context, { isSilent: true }, (backend) =>
    use((command, params, more) => backend.runCommand(of, command, params, more)),
  )
}
