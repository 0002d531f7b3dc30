/**
 * Takes one entry out of a client's file and nothing else: comments, order and layout of the rest stay. The text before is
 * kept beside the file, once a run. Refuses when the entry is not the one that was looked at any more.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, copyFile, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { readJsonText, removeProperty } from '@switchboard/pool'
import { isJsonObject, SwitchboardError } from '@switchboard/protocol'
import type { StaticEntry } from './static-entry.ts'

export class EntryRemover {
  readonly #now: number
  readonly #backups = new Map<string, string>()

  constructor(now: number) {
    this.#now = now
  }

  /** Returns where the text before is. */
  async remove({ file, path, source }: StaticEntry): Promise<string> {
    const before = await readFile(file, 'utf8')
    const reading = readJsonText(before)
    const found = reading.problem === undefined ? findValue(reading.value, path) : undefined
    if (!isDeepStrictEqual(found, source)) {
      throw new SwitchboardError('invalid_configuration', `${file} was changed meanwhile; it is left as it is`, {
        hint: 'Run switchboard doctor again.',
      })
    }
    const backup = await this.#backUp(file)
    await replace(file, removeProperty(before, path))
    return backup
  }

  async #backUp(file: string): Promise<string> {
    const known = this.#backups.get(file)
    if (known !== undefined) return known
    const { mode } = await stat(file)
    const stamp = new Date(this.#now).toISOString().replace(/[-:]|\.\d+/g, '')
    for (let number = 1; ; number++) {
      const backup = `${file}.switchboard-backup-${stamp}${number === 1 ? '' : `-${number}`}`
      try {
        await copyFile(file, backup, constants.COPYFILE_EXCL)
        await chmod(backup, mode & 0o777)
        this.#backups.set(file, backup)
        return backup
      } catch (thrown) {
        if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
      }
    }
  }
}

/** Whole or not at all, with the same mode; a link stays one, what it points to is replaced. */
async function replace(file: string, text: string): Promise<void> {
  const target = await realpath(file)
  const { mode } = await stat(target)
  const draft = `${target}.${randomUUID()}.tmp`
  try {
    await writeFile(draft, text, { mode: mode & 0o777, flag: 'wx' })
    await chmod(draft, mode & 0o777)
    await rename(draft, target)
  } catch (thrown) {
    await rm(draft, { force: true }).catch(() => undefined)
    throw thrown
  }
}

function findValue(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}
