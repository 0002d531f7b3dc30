import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { describeProject, type MemoryRow, printRows } from '../memory/memory-rows.ts'
import { readFilters, readLimit } from '../memory/read-filters.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

interface Found {
  readonly project: string | null
  readonly searched: number
  readonly items: readonly MemoryRow[]
  readonly notes?: readonly string[]
}

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const params = {
    ...readFilters(context, options, 'memory search'),
    limit: readLimit(options, 'memory search', 20),
    query: positionals.join(' '),
  }
  // What the memory pack answers with; see its `person-items.ts`.
  const found = (await askMemory(context, (ask) => ask('search', params))) as unknown as Found
  if (context.isJson) {
    printJson(context, found)
    return EXIT.ok
  }
  const { out, err, io } = context
  for (const note of found.notes ?? []) err.line(err.style.yellow(toSafeLine(note)))
  if (found.items.length > 0) {
    printRows(context, found.items)
    return EXIT.ok
  }
  const { project, searched } = found
  const where = project === null ? 'in any project' : `for ${describeProject(project, io.env.HOME)}`
  out.line(
    searched === 0 ? `Nothing is remembered ${where}.` : `None of the ${searched} that are remembered ${where} fit.`,
  )
  if (project !== null) err.line(err.style.dim('switchboard memory search --all looks into every project.'))
  return EXIT.ok
}
