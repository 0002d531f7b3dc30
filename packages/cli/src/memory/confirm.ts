import { TerminalPrompt } from '../call/terminal-prompt.ts'
import { UsageError } from '../command-line/usage-error.ts'
import type { CommandContext } from '../context/command-context.ts'

/** Asks a person; where there is none, nothing is done that was not said with `--yes`. */
export async function confirm(context: CommandContext, question: string, command: string): Promise<boolean> {
  const { io, err } = context
  if (io.stdin.isTTY !== true || context.isJson) {
    throw new UsageError('Nobody can be asked here.', { command, hint: 'Say --yes if you are sure.' })
  }
  const prompt = new TerminalPrompt(io, err)
  const onAbort = (): void => prompt.close()
  io.signal.addEventListener('abort', onAbort)
  try {
    const answer = await prompt.ask(`${question} [y/N] `)
    return /^y(?:es)?$/i.test(answer?.trim() ?? '')
  } finally {
    io.signal.removeEventListener('abort', onAbort)
    prompt.close()
  }
}
