import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { formatAge } from '../memory/memory-rows.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatBytes, formatPath } from '../terminal/format.ts'
import { Spinner } from '../terminal/spinner.ts'

interface Backup {
  readonly file: string
  readonly bytes: number
  readonly time: string
}

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { out, err, io } = context
  const isList = options.flag('list')
  const spinner = new Spinner(err, () => 'copying the store …')
  const answer = await askMemory(context, (ask) => ask(isList ? 'backups' : 'backup', {}), 'store').finally(() =>
    spinner.stop(),
  )
  if (context.isJson) {
    printJson(context, answer)
    return EXIT.ok
  }
  // What the daemon's `store-commands.ts` answers with.
  const { backups, backup } = answer as unknown as { backups?: readonly Backup[]; backup?: Backup }
  const shown = backup === undefined ? (backups ?? []) : [backup]
  if (shown.length === 0) out.line('There is no backup yet: switchboard memory backup makes one.')
  for (const { file, bytes, time } of shown) {
    const what = `${formatPath(file, io.env.HOME)}, ${formatBytes(bytes)}`
    out.line(isList ? `${what}, ${formatAge(time)} old` : `Copied the store to ${what}.`)
  }
  return EXIT.ok
}
