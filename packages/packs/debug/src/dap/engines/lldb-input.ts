/**
 * What a program reads under lldb, whose own standard input is the protocol: a file. Where nothing was given, nobody could type
 * anything; a program that reads is told so, as in every other language, and does not wait for ever.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attach, Launch } from '../../engine/debug-session.ts'

export interface PreparedInput {
  /** For lldb, before the program starts. */
  readonly commands: readonly string[]
  cleanUp(): Promise<void>
}

export async function prepareInput(request: Launch | Attach): Promise<PreparedInput> {
  const text = request.kind === 'launch' ? request.stdin : undefined
  if (text === undefined) {
    const commands = process.platform === 'win32' ? [] : [readFrom('/dev/null')]
    return { commands, cleanUp: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-input-'))
  const file = join(folder, 'stdin')
  const cleanUp = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await writeFile(file, text, { mode: 0o600 })
  } catch (error) {
    await cleanUp()
    throw error
  }
  return { commands: [readFrom(file)], cleanUp }
}

function readFrom(path: string): string {
  return `settings set target.input-path "${path.replace(/["\\]/g, '\\$&')}"`
}
