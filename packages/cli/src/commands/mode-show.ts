import { ModeFiles } from '@switchboard/daemon'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { toModeJson } from '../modes/describe-record.ts'
import { findInstance } from '../modes/find-instance.ts'
import { EXIT } from '../program/exit-code.ts'
import { renderTable } from '../terminal/table.ts'

const SETTERS = { agent: 'the agent', person: 'a person', activation: '–' } as const

export async function run(context: CommandContext, { positionals }: CommandInput): Promise<number> {
  const { home, log, out } = context
  const files = new ModeFiles({ directory: home.modes, log })
  const [wanted] = positionals
  const records = wanted === undefined ? await files.list() : [await findInstance(files, wanted)]
  if (context.isJson) {
    printJson(context, { instances: records.map(toModeJson) })
    return EXIT.ok
  }
  if (records.length === 0) {
    out.line('No window has a mode file. They are made when a window connects and modes are configured.')
    return EXIT.ok
  }
  const table = renderTable(
    [
      { header: 'INSTANCE' },
      { header: 'MODE' },
      { header: 'SET BY', priority: 1 },
      { header: 'SINCE (UTC)', priority: 0 },
    ],
    records.map(({ instance, mode, at, setBy }) => [
      instance,
      mode ?? '–',
      SETTERS[setBy],
      at.slice(0, 16).replace('T', ' '),
    ]),
    { width: out.width, style: out.style },
  )
  for (const line of [table.header, ...table.rows]) out.line(line)
  return EXIT.ok
}
