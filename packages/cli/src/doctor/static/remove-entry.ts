/**
 * Takes one entry out of a client's file and nothing else: comments, order and layout of the rest stay. The text before is
 * kept beside the file, once a run. Refuses when the entry is not the one that was looked at any more.
 */
import { realpath, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { isPathInside, readForeignBytes, writeFileAtomically } from '@switchboard/base'
import { readJsonText, removeProperty } from '@switchboard/config/text'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { MAX_BYTES } from './read-static-entries.ts'
import type { StaticEntry } from './static-entry.ts'

export class EntryRemover {
  readonly #now: number
  readonly #backups = new Map<string, string>()

  constructor(now: number) {
    this.#now = now
  }

  /** Returns where the text before is. */
  async remove({ file, path, source, root }: StaticEntry): Promise<string> {
    const before = (await readForeignBytes(file, { maxBytes: MAX_BYTES, root })).toString('utf8')
    const reading = readJsonText(before)
    const found = reading.problem === undefined ? findValue(reading.value, path) : undefined
    if (!isDeepStrictEqual(found, source)) {
      throw createChangedError(file)
    }
    const target = await findTarget(file, root)
    const { mode } = await stat(target)
    const backup = await this.#backUp(file, before, mode & 0o777)
    // Whole or not at all, with the same mode; a link stays one, what it points to is replaced.
    await writeFileAtomically(target, removeProperty(before, path), { mode: mode & 0o777 })
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
async function findTarget(file: string, root: string | undefined): Promise<string> {
  const target = await realpath(file)
  if (root === undefined || isPathInside(await realpath(root), target)) return target
  throw createChangedError(file)
}

function createChangedError(file: string): SwitchboardError {
  return new SwitchboardError('invalid_configuration', `${file} was changed meanwhile; it is left as it is`, {
    hint: 'Run switchboard doctor again.',
  })
}

function findValue(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}
