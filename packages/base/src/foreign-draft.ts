/**
 * Writes, piece by piece, a file whose place others name. It is written beside as `<file>.<uuid>.tmp` and takes its name when it
 * is whole. What lies under that name is replaced or kept, never followed: a link that dangles makes nothing elsewhere.
 */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createFile, replaceFile } from './atomic-file.ts'
import { ForeignFileError } from './foreign-file.ts'
import { isPathInside } from './path-inside.ts'

export interface ForeignDraftOptions {
  /** The folder that nothing is written outside of, whatever links are on the way. Has to exist. */
  readonly root: string
  /** Default 0600: its owner alone. */
  readonly mode?: number
}

// `wx`, and no link for a name that nobody can know; Windows knows no O_NOFOLLOW.
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

export class ForeignDraft {
  readonly handle: FileHandle
  readonly #file: string
  readonly #draft: string

  private constructor(file: string, draft: string, handle: FileHandle) {
    this.#file = file
    this.#draft = draft
    this.handle = handle
  }

  /** Makes the folders that are missing. Throws ForeignFileError for a place outside of the root, else what the system says. */
  static async open(file: string, { root, mode = 0o600 }: ForeignDraftOptions): Promise<ForeignDraft> {
    const realRoot = await realpath(root)
    const folder = dirname(file)
    throwUnlessInside(file, realRoot, await findRealAncestor(folder))
    await mkdir(folder, { recursive: true })
    // From here on the name of the real folder: a link that is put on the way now leads nothing away.
    const place = join(await realpath(folder), basename(file))
    throwUnlessInside(file, realRoot, place)
    const path = `${place}.${randomUUID()}.tmp`
    const handle = await open(path, FLAGS, mode)
    const draft = new ForeignDraft(place, path, handle)
    try {
      const [opened, named] = [await handle.stat({ bigint: true }), await stat(path, { bigint: true })]
      if (opened.ino !== named.ino || (await realpath(path)) !== path) {
        throw new ForeignFileError(file, 'changed', 'has a folder that was exchanged meanwhile')
      }
      return draft
    } catch (error) {
      await draft.discard()
      throw error
    }
  }

  /** False: there is something of that name, and it stays. */
  async commit({ overwrite }: { readonly overwrite: boolean }): Promise<boolean> {
    let isMoved = false
    try {
      await this.handle.close()
      if (!overwrite) return await createFile(this.#draft, this.#file)
      await replaceFile(this.#draft, this.#file)
      isMoved = true
      return true
    } finally {
      if (!isMoved) await rm(this.#draft, { force: true })
    }
  }

  async discard(): Promise<void> {
    await this.handle.close()
    await rm(this.#draft, { force: true })
  }
}

function throwUnlessInside(file: string, root: string, place: string): void {
  if (isPathInside(root, place)) return
  throw new ForeignFileError(file, 'outside', 'leads out of its folder')
}

async function findRealAncestor(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined)
  const parent = dirname(path)
  if (real !== undefined || parent === path) return real ?? path
  return join(await findRealAncestor(parent), basename(path))
}
