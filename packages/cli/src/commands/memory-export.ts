import type { CommandInput } from '../command-line/command-spec.ts'
import type { CommandContext } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { readFilters } from '../memory/read-filters.ts'
import { exportLines } from '../memory/transfer.ts'

export async function run(context: CommandContext, { options, positionals: [file] }: CommandInput): Promise<number> {
  const command = 'memory export'
  const params = readFilters(context, options, command)
  return askMemory(context, (ask) =>
    exportLines(context, ask, { file, params, command, isForced: options.flag('force') }),
  )
}
