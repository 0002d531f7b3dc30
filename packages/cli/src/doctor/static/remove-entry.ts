/**
 * Takes one entry out of a client's file and nothing else: comments, order and layout of the rest stay. The text before is
 * kept beside the file, once a run. Refuses when the entry is not the one that was looked at any more.
 */
import { realpath, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { isPathInside, readForeignBytes, writeFileAtomically } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { editList, findInList, readList } from '../../clients/list/edit-list.ts'
import { MAX_BYTES } from './read-static-entries.ts'
import type { StaticEntry } from './static-entry.ts'

export class EntryRemover {
  readonly #now: number
  readonly #backups = new Map<string, string>()

  constructor(now: number) {
    this.#now = now
  }

  /** Returns where the text before is. */
  async remove({ file, path, source, root, format }: StaticEntry): Promise<string> {
    const before = (await readForeignBytes(file, { maxBytes: MAX_BYTES, root })).toString('utf8')
    const reading = await readList(before, format)
    const found = reading.problem === undefined ? findInList(reading.value, path) : undefined
    if (!isDeepStrictEqual(found, source)) throw createChangedError(file)
    const edited = await editList(before, format, { remove: [path] })
    if (edited.problem !== undefined) {
      throw new SwitchboardError('invalid_configuration', `${file} is left as it is: ${edited.problem}`, {
        hint: `Take ${path.join(' → ')} out of it by hand.`,
      })
    }
    const target = await findTarget(file, root)
    const { mode } = await stat(target)
    const backup = await this.#backUp(file, before, mode & 0o777)
    // Whole or not at all, with the same mode; a link stays one, what it points to is replaced.
    await writeFileAtomically(target, edited.text, { mode: mode & 0o777 })
    return backup
  }

  /** What was read, not what the name leads to by now; for the same eyes as the file itself. */
  async #backUp(file: string, text: string, mode: number): Promise<string> {
    const known = this.#backups.get(file)
    if (known !== undefined) return known
    const stamp = new Date(this.#now).toISOString().replace(/[-:]|\.\d+/g, '')
    for (let number = 1; ; number++) {
      const backup = `${file}.switchboard-backup-${stamp}${number === 1 ? '' : `-${number}`}`
      if (!(await writeFileAtomically(backup, text, { mode, keepExisting: true }))) continue
      this.#backups.set(file, backup)
      return backup
    }
  }
}

/** Where a person's own link leads is where they keep the file; of a repository's, only what lies in the repository. */
export async function findTarget(file: string, root: string | undefined): Promise<string> {
  const target = await realpath(file)
  if (root === undefined || isPathInside(await realpath(root), target)) return target
  throw createChangedError(file)
}

function createChangedError(file: string): SwitchboardError {
  return new SwitchboardError('invalid_configuration', `${file} was changed meanwhile; it is left as it is`, {
    hint: 'Run switchboard doctor again.',
  })
}
