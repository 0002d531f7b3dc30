/** A skill is written in the person's editor, until the memory takes it. */
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandContext } from '../context/command-context.ts'
import { editText } from './edit-text.ts'
import { parseSkillFile, type ShownSkill } from './skill-file.ts'

export interface SkillEditOptions {
  /** What the editor shows at first. */
  readonly text: string
  /** Given with --file: no editor then. */
  readonly file: string | undefined
  readonly command: string
  /** Rejects with `invalid_arguments` for what a person can correct. */
  save(fields: JsonObject): Promise<ShownSkill>
}

/** Undefined: the person left it as it was. */
export function editSkill(context: CommandContext, options: SkillEditOptions): Promise<ShownSkill | undefined> {
  const { text, file, command, save } = options
  return editText(context, { text, file, command, fileName: 'SKILL.md', take: (written) => save(readFields(written)) })
}

function readFields(text: string): JsonObject {
  const fields = parseSkillFile(text)
  if (!isProblems(fields)) return fields
  throw new SwitchboardError('invalid_arguments', `It cannot be taken: ${fields.join('; ')}.`)
}

function isProblems(read: JsonObject | readonly string[]): read is readonly string[] {
  return Array.isArray(read)
}
