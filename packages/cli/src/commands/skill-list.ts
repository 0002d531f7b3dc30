import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { formatAge } from '../memory/memory-rows.ts'
import type { ShownSkill } from '../memory/skill-file.ts'
import { EXIT } from '../program/exit-code.ts'
import { firstLine, toSafeLine } from '../terminal/safe-text.ts'
import { renderTable } from '../terminal/table.ts'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { skills } = await askMemory(context, (ask) => ask('skill_list', { tags: [...options.list('tag')] }))
  if (context.isJson) {
    printJson(context, { skills })
    return EXIT.ok
  }
  // What the memory pack answers with; see its `person-skills.ts`.
  const rows = skills as unknown as readonly ShownSkill[]
  const { out } = context
  if (rows.length === 0) {
    out.line('No skills. Write one with: switchboard skill new <name>')
    return EXIT.ok
  }
  const table = renderTable(
    [
      { header: 'SKILL' },
      { header: 'VERSION', priority: 3 },
      { header: 'USED', align: 'right', priority: 2 },
      { header: 'WORKED', align: 'right', priority: 1 },
      { header: 'CHANGED', align: 'right', priority: 0 },
      { header: 'DESCRIPTION', shrinksTo: 20 },
    ],
    rows.map(({ name, version, usageCount, successRate, updatedAt, description }) => [
      out.style.cyan(toSafeLine(name)),
      toSafeLine(version),
      String(usageCount),
      successRate === null ? '–' : `${Math.round(successRate * 100)}%`,
      formatAge(updatedAt),
      firstLine(description),
    ]),
    { width: out.width, style: out.style },
  )
  for (const line of [table.header, ...table.rows]) out.line(line)
  return EXIT.ok
}
