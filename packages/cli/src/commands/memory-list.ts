import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { describeProject, type MemoryRow, printRows } from '../memory/memory-rows.ts'
import { readFilters, readLimit } from '../memory/read-filters.ts'
import { EXIT } from '../program/exit-code.ts'

interface Listed {
  readonly project: string | null
  readonly total: number
  readonly items: readonly MemoryRow[]
}

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const params = { ...readFilters(context, options, 'memory list'), limit: readLimit(options, 'memory list', 50) }
  // What the memory pack answers with; see its `person-items.ts`.
  const listed = (await askMemory(context, (ask) => ask('list', params))) as unknown as Listed
  if (context.isJson) {
    printJson(context, listed)
    return EXIT.ok
  }
  const { out, err, io } = context
  const { items, total, project } = listed
  const where = project === null ? 'in any project' : `of ${describeProject(project, io.env.HOME)}`
  if (items.length === 0) {
    out.line(`Nothing is remembered ${where}.`)
    if (project !== null) err.line(err.style.dim('switchboard memory list --all shows every project.'))
    return EXIT.ok
  }
  printRows(context, items)
  if (total > items.length) err.line(err.style.dim(`${items.length} of ${total}: --limit shows more.`))
  return EXIT.ok
}
