import { createInterface } from 'node:readline'
import type { CommandContext } from '../context/command-context.ts'

/** Nothing of what is typed is shown: the lines have no output. */
export async function askHidden({ io, err }: Pick<CommandContext, 'io' | 'err'>, question: string): Promise<string> {
  const lines = createInterface({ input: io.stdin, terminal: true, historySize: 0 })
  // Only now: what is typed before the keyboard is read raw the terminal shows by itself.
  err.stream.write(question)
  lines.on('SIGINT', () => io.interrupt({ kind: 'signal', signal: 'SIGINT' }))
  const onAbort = (): void => lines.close()
  io.signal.addEventListener('abort', onAbort)
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(''))
    })
  } finally {
    io.signal.removeEventListener('abort', onAbort)
    lines.close()
    err.line()
  }
}
