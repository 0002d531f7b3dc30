import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { formatSkillFile, type ShownSkill } from '../memory/skill-file.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeText } from '../terminal/safe-text.ts'

/** As the text that `skill edit` shows, so that it can be given back with --file. */
export async function run(context: CommandContext, { positionals: [wanted = ''] }: CommandInput): Promise<number> {
  const { skill } = await askMemory(context, (ask) => ask('skill_show', { skill: wanted }))
  if (context.isJson) printJson(context, { skill })
  // What the memory pack answers with; see its `person-skills.ts`.
  else context.out.write(toSafeText(formatSkillFile(skill as unknown as ShownSkill)))
  return EXIT.ok
}
