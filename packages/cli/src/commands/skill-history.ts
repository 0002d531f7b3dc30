import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { formatAge } from '../memory/memory-rows.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

interface Version {
  readonly version: string
  /** Null: it is what holds. */
  readonly replacedAt: string | null
}

export async function run(context: CommandContext, { positionals: [wanted = ''] }: CommandInput): Promise<number> {
  const history = await askMemory(context, (ask) => ask('skill_history', { skill: wanted }))
  if (context.isJson) {
    printJson(context, history)
    return EXIT.ok
  }
  // What the memory pack answers with; see its `person-skills.ts`.
  for (const { version, replacedAt } of history.versions as unknown as readonly Version[]) {
    const state = replacedAt === null ? context.out.style.green('now') : `until ${formatAge(replacedAt)} ago`
    context.out.line(`${toSafeLine(version).padEnd(12)} ${state}`)
  }
  return EXIT.ok
}
