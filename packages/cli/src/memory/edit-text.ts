/**
 * Something is written in the person's editor, and what was written is never lost: its file is kept and named until it has been
 * taken.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { TerminalPrompt } from '../call/terminal-prompt.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { CommandContext } from '../context/command-context.ts'
import { toSafeText } from '../terminal/safe-text.ts'
import { runEditor } from './run-editor.ts'

export interface TextEditOptions<T> {
  /** What the editor shows at first. */
  readonly text: string
  /** Its ending tells the editor what it is. */
  readonly fileName: string
  /** Given with --file: no editor then. */
  readonly file: string | undefined
  readonly command: string
  /** Rejects with `invalid_arguments` or `invalid_configuration` for what a person can correct. */
  take(text: string): Promise<T>
}

/** Undefined: the person left it as it was. */
export async function editText<T>(context: CommandContext, options: TextEditOptions<T>): Promise<T | undefined> {
  const { io } = context
  if (options.file !== undefined) return options.take(await readGiven(context, options.file, options.command))
  if (io.stdin.isTTY !== true) {
    throw new UsageError('There is no terminal to edit it in.', {
      command: options.command,
      hint: 'Give the text with --file, or --file - for stdin.',
    })
  }
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-edit-'))
  const file = join(folder, options.fileName)
  try {
    await writeFile(file, options.text, { mode: 0o600 })
    const taken = await editUntilTaken(context, options, file)
    await rm(folder, { recursive: true, force: true })
    return taken
  } catch (error) {
    const isWritten = (await readFile(file, 'utf8').catch(() => options.text)) !== options.text
    if (isWritten) throw keepFile(error, file)
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function editUntilTaken<T>(
  context: CommandContext,
  { text, take }: TextEditOptions<T>,
  file: string,
): Promise<T | undefined> {
  for (;;) {
    await runEditor(context.io, file)
    const written = await readFile(file, 'utf8')
    if (written === text || written.trim() === '') return undefined
    try {
      return await take(written)
    } catch (error) {
      const isTheirs = error instanceof SwitchboardError && CORRECTABLE.includes(error.code)
      if (!isTheirs || !(await wantsToGoOn(context, error))) throw error
    }
  }
}

const CORRECTABLE: readonly string[] = ['invalid_arguments', 'invalid_configuration']

async function wantsToGoOn({ io, err }: CommandContext, error: SwitchboardError): Promise<boolean> {
  for (const line of toSafeText(error.message).split('\n')) err.line(err.style.red(line))
  if (error.hint !== '') err.line(toSafeText(error.hint))
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
