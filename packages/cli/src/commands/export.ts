import type { CommandInput } from '../command-line/command-spec.ts'
import type { CommandContext } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { exportLines } from '../memory/transfer.ts'

export async function run(context: CommandContext, { options, positionals: [file] }: CommandInput): Promise<number> {
  const params = { vectors: options.flag('vectors') }
  return askMemory(
    context,
    (ask) => exportLines(context, ask, { file, params, command: 'export', isForced: options.flag('force') }),
    'store',
  )
}
