import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { confirm } from '../memory/confirm.ts'
import { type MemoryRow, printRows } from '../memory/memory-rows.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount } from '../terminal/format.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const ids = [...positionals]
  return askMemory(context, async (ask) => {
    if (!options.flag('yes')) {
      const { items } = await ask('delete', { ids, isTrial: true })
      const rows = items as unknown as readonly MemoryRow[]
      if (!context.isJson) printRows(context, rows)
      const isSure = await confirm(context, `Forget ${formatCount(rows.length, 'item')} for good?`, 'memory delete')
      if (!isSure) {
        context.out.line('Nothing was deleted.')
        return EXIT.failed
      }
    }
    const { items } = await ask('delete', { ids })
    const rows = items as unknown as readonly MemoryRow[]
    if (context.isJson) printJson(context, { deleted: rows })
    else context.out.line(`Deleted ${formatCount(rows.length, 'item')}.`)
    return EXIT.ok
  })
}
