/**
 * One file that `init` changes, as it was seen and as it is to be. Nothing is changed that is read-only, somebody else's, has
 * a second name (a hard link) or is no UTF-8: it is told instead. A link is followed, and stays one.
 */
import { constants } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ForeignFileError, readForeignBytes } from '@switchboard/base'
import type { ServerList } from '../clients/client-places.ts'
import { type EditedList, editList, type ListEdit, type ListEntry } from '../clients/list/edit-list.ts'
import { MAX_BYTES } from '../doctor/static/read-static-entries.ts'
import { findTarget } from '../doctor/static/remove-entry.ts'

export interface FileChange {
  /** As its client names it. */
  readonly file: string
  /** What is written: where the links lead. */
  readonly target: string
  /** The folder of the repository that brought the file; no link leads out of it. */
  readonly root: string | undefined
  readonly format: ServerList['format']
  /** Undefined: it is not there yet. */
  readonly before: Buffer | undefined
  readonly after: string
  /** For its owner alone, when it is new. */
  readonly mode: number
  /** Its folder is made for it. */
  readonly isFolderNew: boolean
  readonly removed: readonly ListEntry[]
  readonly added: readonly ListEntry[]
}

export type SeenFile =
  | { readonly bytes: Buffer | undefined; readonly target: string; readonly mode: number; readonly problem?: undefined }
  | { readonly problem: string }

/** A file as it may be changed, or why it may not. */
export async function lookAtFile(file: string, root: string | undefined): Promise<SeenFile> {
  try {
    const bytes = await readForeignBytes(file, { maxBytes: MAX_BYTES, root })
    const target = await findTarget(file, root)
    const { mode, nlink, uid } = await stat(target)
    if ((mode & 0o222) === 0) return { problem: 'it is read-only' }
    const own = process.getuid?.()
    if (own !== undefined && uid !== own) return { problem: `it belongs to another user (${uid})` }
    if (nlink > 1) return { problem: 'it has a second name (a hard link), which would be parted from it' }
    if (!Buffer.from(bytes.toString('utf8')).equals(bytes)) return { problem: 'it is no UTF-8' }
    await access(dirname(target), constants.W_OK)
    return { bytes, target, mode: mode & 0o777 }
  } catch (error) {
    if (error instanceof ForeignFileError) {
      if (error.problem === 'missing') return lookAtMissing(file)
      return { problem: `it ${error.reason}` }
    }
    return { problem: 'its folder cannot be written to' }
  }
}

/** A link that leads nowhere is somebody's plan, and stays. */
async function lookAtMissing(file: string): Promise<SeenFile> {
  const named = await lstat(file).catch(() => undefined)
  if (named !== undefined) return { problem: 'it is a link that leads nowhere' }
  return { bytes: undefined, target: file, mode: 0o600 }
}

export interface ChangeRequest {
  readonly file: string
  readonly root: string | undefined
  readonly format: ServerList['format']
  readonly removed: readonly ListEntry[]
  readonly added: readonly ListEntry[]
}

export async function planFileChange(request: ChangeRequest): Promise<FileChange | { readonly problem: string }> {
  const { file, root, format, removed, added } = request
  const seen = await lookAtFile(file, root)
  if (seen.problem !== undefined) return seen
  const { bytes: before, target, mode } = seen
  const edited = await editText(before, format, { remove: removed.map(({ path }) => path), add: added })
  if (edited.problem !== undefined) return edited
  const isFolderNew = before === undefined && !(await exists(dirname(target)))
  return { file, target, root, format, before, after: edited.text, mode, isFolderNew, removed, added }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

function editText(before: Buffer | undefined, format: ServerList['format'], edit: ListEdit): Promise<EditedList> {
  return editList(before?.toString('utf8'), format, edit)
}
