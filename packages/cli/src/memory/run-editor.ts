/** The editor of the person: `$VISUAL`, `$EDITOR`, or one that the system has. */
import { spawn } from 'node:child_process'
import { errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Io } from '../program/io.ts'

/** Whatever the first of these is that is there. */
const POSIX_EDITORS =
  'for editor in editor nano vim vi; do command -v "$editor" >/dev/null && exec "$editor" "$@"; done; exit 127'

/** Resolves when it has ended well. It has the terminal meanwhile. */
export async function runEditor({ env }: Io, file: string, platform = process.platform): Promise<void> {
  const named = [env.VISUAL, env.EDITOR].find((editor) => editor !== undefined && editor.trim() !== '')
  const { promise, resolve, reject } = Promise.withResolvers<number | string>()
  // The editor may have arguments of its own, such as `code --wait`: a shell reads them as people wrote them.
  const child =
    platform === 'win32'
      ? spawn(`${named ?? 'notepad'} "${file}"`, { shell: true, stdio: 'inherit', env })
      : spawn('/bin/sh', ['-c', named === undefined ? POSIX_EDITORS : `${named} "$@"`, 'editor', file], {
          stdio: 'inherit',
          env,
        })
  child.once('error', reject)
  child.once('exit', (code, signal) => resolve(code ?? signal ?? 1))
  let ended: number | string
  try {
    ended = await promise
  } catch (error) {
    throw createFailure(named, errorMessage(error))
  }
  if (ended === 0) return
  throw createFailure(named, ended === 127 ? 'it was not found' : `it ended with ${ended}`)
}

function createFailure(named: string | undefined, reason: string): SwitchboardError {
  const which = named === undefined ? 'No editor could be run' : `The editor "${named}" could not be used`
  return new SwitchboardError('invalid_arguments', `${which}: ${reason}.`, {
    hint: 'Set VISUAL or EDITOR to the one that you use, or give the text with --file.',
  })
}
