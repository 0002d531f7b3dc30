/**
 * A skill is written in the person's editor, and what was written is never lost: its file is kept and named until the memory has
 * taken it.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { errorMessage } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { TerminalPrompt } from '../call/terminal-prompt.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { CommandContext } from '../context/command-context.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { runEditor } from './run-editor.ts'
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
export async function editSkill(context: CommandContext, options: SkillEditOptions): Promise<ShownSkill | undefined> {
  const { io } = context
  if (options.file !== undefined)
    return options.save(readFields(await readGiven(context, options.file, options.command)))
  if (io.stdin.isTTY !== true) {
    throw new UsageError('There is no terminal to edit it in.', {
      command: options.command,
      hint: 'Give the text with --file, or --file - for stdin.',
    })
  }
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-skill-'))
  const file = join(folder, 'SKILL.md')
  try {
    await writeFile(file, options.text, { mode: 0o600 })
    const saved = await editUntilTaken(context, options, file)
    await rm(folder, { recursive: true, force: true })
    return saved
  } catch (error) {
    const isWritten = (await readFile(file, 'utf8').catch(() => options.text)) !== options.text
    if (isWritten) throw keepFile(error, file)
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function editUntilTaken(
  context: CommandContext,
  { text, save }: SkillEditOptions,
  file: string,
): Promise<ShownSkill | undefined> {
  for (;;) {
    await runEditor(context.io, file)
    const written = await readFile(file, 'utf8')
    if (written === text || written.trim() === '') return undefined
    try {
      return await save(readFields(written))
    } catch (error) {
      if (!(error instanceof SwitchboardError) || error.code !== 'invalid_arguments') throw error
      if (!(await wantsToGoOn(context, error))) throw error
    }
  }
}

async function wantsToGoOn({ io, err }: CommandContext, error: SwitchboardError): Promise<boolean> {
  err.line(err.style.red(toSafeLine(error.message)))
  if (error.hint !== '') err.line(toSafeLine(error.hint))
  const prompt = new TerminalPrompt(io, err)
  const onAbort = (): void => prompt.close()
  io.signal.addEventListener('abort', onAbort)
  try {
    const answer = await prompt.ask('Edit it again? [Y/n] ')
    return answer !== undefined && !/^n(?:o)?$/i.test(answer.trim())
  } finally {
    io.signal.removeEventListener('abort', onAbort)
    prompt.close()
  }
}

function readFields(text: string): JsonObject {
  const fields = parseSkillFile(text)
  if (!isProblems(fields)) return fields
  throw new SwitchboardError('invalid_arguments', `It cannot be taken: ${fields.join('; ')}.`)
}

function isProblems(read: JsonObject | readonly string[]): read is readonly string[] {
  return Array.isArray(read)
}

async function readGiven({ io }: CommandContext, file: string, command: string): Promise<string> {
  if (file === '-') return readStream(io.stdin as NodeJS.ReadableStream)
  const path = resolve(io.cwd, file)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${errorMessage(error)}.`, { command })
  }
}

function keepFile(error: unknown, file: string): SwitchboardError {
  const { code, message, hint } =
    error instanceof SwitchboardError ? error : new SwitchboardError('internal', errorMessage(error), { cause: error })
  return new SwitchboardError(code, message, {
    hint: `${hint === '' ? '' : `${hint} `}What you wrote is in ${file}: give it with --file ${file}.`,
    cause: error,
  })
}
