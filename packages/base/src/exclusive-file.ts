/**
 * Changes one small file from several processes at once, without losing a change and without a reader ever seeing half.
 *
 * Invariants
 * 1. One writer at a time: it holds the file's lock.
 * 2. A holder that was thought dead notices before it commits and starts again.
 * 3. The new content is complete on disk, readable by its owner only, before it takes the old one's name.
 */
import { writeFileAtomically } from './atomic-file.ts'
import { readIfPresent, withFileLock } from './file-lock.ts'

/**
 * `change` gets the content (undefined: there is no file yet) and returns the new one; undefined: leave it as it is. Rejects with
 * FileLockedError.
 */
export async function changeFile(
  file: string,
  change: (content: string | undefined) => string | undefined,
): Promise<void> {
  let isDone = false
  while (!isDone) {
    isDone = await withFileLock(file, async ({ isHeld }) => {
      const next = change(await readIfPresent(file))
      return next === undefined || writeFileAtomically(file, next, { flush: true, mayCommit: isHeld })
    })
  }
}
