import { userInfo } from 'node:os'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { editSkill } from '../memory/edit-skill.ts'
import { formatSkillFile, type ShownSkill } from '../memory/skill-file.ts'
import { EXIT } from '../program/exit-code.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

const CONTENT = `Write here, in Markdown, what an agent has to know to do it: the steps, the commands, what to look out for.`

export async function run(
  context: CommandContext,
  { options, positionals: [title = ''] }: CommandInput,
): Promise<number> {
  const author = userInfo().username
  const text = formatSkillFile({
    title,
    description: '',
    version: '1.0.0',
    author,
    category: 'general',
    tags: [],
    content: CONTENT,
  })
  const skill = await askMemory(context, (ask) =>
    editSkill(context, {
      text,
      file: options.text('file'),
      command: 'skill new',
      // What the memory pack answers with; see its `person-skills.ts`.
      save: async (fields) => (await ask('skill_save', fields)).skill as unknown as ShownSkill,
    }),
  )
  if (skill === undefined) {
    context.err.line('Nothing was written, so there is no new skill.')
    return EXIT.failed
  }
  if (context.isJson) printJson(context, { skill })
  else
    context.out.line(
      `Made the skill ${toSafeLine(skill.name)} ${skill.version}. Every window has it now, also as a prompt.`,
    )
  return EXIT.ok
}
