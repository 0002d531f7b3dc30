import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { askMemory } from '../memory/ask-memory.ts'
import { confirm } from '../memory/confirm.ts'
import type { ShownSkill } from '../memory/skill-file.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

export async function run(
  context: CommandContext,
  { options, positionals: [wanted = ''] }: CommandInput,
): Promise<number> {
  return askMemory(context, async (ask) => {
    // What the memory pack answers with; see its `person-skills.ts`.
    const { name, version, id } = (await ask('skill_show', { skill: wanted })).skill as unknown as ShownSkill
    const question = `Delete the skill ${toSafeLine(name)} ${version} and its history for good?`
    if (!options.flag('yes') && !(await confirm(context, question, 'skill delete'))) {
      context.out.line('Nothing was deleted.')
      return EXIT.failed
    }
    const deleted = await ask('skill_delete', { skill: id })
    if (context.isJson) printJson(context, deleted)
    else context.out.line(`Deleted ${toSafeLine(name)}, ${formatCount(Number(deleted.versions), 'version')}.`)
    return EXIT.ok
  })
}
