import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { editSkill } from '../memory/edit-skill.ts'
import { formatSkillFile, type ShownSkill } from '../memory/skill-file.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

export async function run(
  context: CommandContext,
  { options, positionals: [wanted = ''] }: CommandInput,
): Promise<number> {
  return askMemory(context, async (ask) => {
    // What the memory pack answers with; see its `person-skills.ts`.
    const before = (await ask('skill_show', { skill: wanted })).skill as unknown as ShownSkill
    const skill = await editSkill(context, {
      text: formatSkillFile(before),
      file: options.text('file'),
      command: 'skill edit',
      save: async (fields) => (await ask('skill_save', { ...fields, skill: before.id })).skill as unknown as ShownSkill,
    })
    if (context.isJson) printJson(context, { skill: skill ?? before, changed: skill !== undefined })
    else if (skill === undefined) context.out.line('Nothing was changed.')
    else context.out.line(describeChange(before, skill))
    return EXIT.ok
  })
}

function describeChange(before: ShownSkill, skill: ShownSkill): string {
  const name = toSafeLine(skill.name)
  if (skill.version === before.version) return `Changed what is said about ${name} ${skill.version}.`
  return `Changed ${name} to ${skill.version}; ${before.version} is kept: switchboard skill history ${name}`
}
