/** Writes what was planned: a file that is not any more what was shown to the person is left alone. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorMessage, ForeignFileError, readForeignBytes, writeFileAtomically } from '@switchboard/base'
import { MAX_BYTES } from '../doctor/static/read-static-entries.ts'
import type { FileChange } from './file-change.ts'

type WrittenFile = Pick<FileChange, 'file' | 'target' | 'root' | 'before' | 'after' | 'mode'>

/** Undefined: it is written; else why not, and then the file is as it was. */
export async function applyChange(change: WrittenFile): Promise<string | undefined> {
  const { file, target, root, before, after, mode } = change
  try {
    if (before === undefined) await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const isWritten = await writeFileAtomically(target, after, {
      mode,
      flush: true,
      keepExisting: before === undefined,
      mayCommit: async () => isSame(await readNow(file, root), before),
    })
    return isWritten ? undefined : 'it was changed meanwhile'
  } catch (error) {
    return errorMessage(error)
  }
}

/** Undefined: it is not there. */
export async function readNow(file: string, root: string | undefined): Promise<Buffer | undefined> {
  try {
    return await readForeignBytes(file, { maxBytes: MAX_BYTES, root })
  } catch (error) {
    if (error instanceof ForeignFileError && error.problem === 'missing') return undefined
    throw error
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other)
}
