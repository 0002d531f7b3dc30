/**
 * What `init` is about to change and what was there before, on the disk before the first file is touched: whatever happens
 * then, `--undo` knows the way back. A folder for each run, `<home>/init/<time>`, for its owner alone: `journal.json`, and
 * the bytes of every file as it was. The order is that of writing; undoing goes backwards.
 */
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ensurePrivateFolder, readForeignBytes, writeFileAtomically } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ServerList } from '../clients/client-places.ts'
import type { ListEntry } from '../clients/list/edit-list.ts'
import { MAX_BYTES } from '../doctor/static/read-static-entries.ts'
import type { FileChange } from './file-change.ts'

const FILE_NAME = 'journal.json'

export interface JournalFile {
  readonly file: string
  readonly target: string
  /** The folder of the repository that it belongs to. */
  readonly root?: string
  readonly format: ServerList['format']
  readonly mode: number
  readonly isFolderNew: boolean
  /** The name of the copy in the run's folder; absent: there was no such file. */
  readonly copy?: string
  /** The SHA-256 of what is written. */
  readonly after: string
  readonly removed: readonly ListEntry[]
  readonly added: readonly ListEntry[]
}

export interface Journal {
  readonly version: 1
  readonly at: string
  readonly files: readonly JournalFile[]
}

export interface JournaledRun {
  readonly folder: string
  readonly journal: Journal
}

export function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Everything that is needed to undo is on the disk when it resolves. */
export async function writeJournal(home: string, changes: readonly FileChange[], now: number): Promise<JournaledRun> {
  const at = new Date(now).toISOString()
  const folder = await makeFolder(home, at)
  const files: JournalFile[] = []
  for (const [index, change] of changes.entries()) {
    const { file, target, root, format, mode, isFolderNew, before, after, removed, added } = change
    const copy = before === undefined ? undefined : `${index}-${basename(file)}`
    if (copy !== undefined && before !== undefined)
      await writeFileAtomically(join(folder, copy), before, { flush: true })
    files.push({
      file,
      target,
      ...(root === undefined ? {} : { root }),
      format,
      mode,
      isFolderNew,
      ...(copy === undefined ? {} : { copy }),
      after: hashOf(after),
      removed,
      added,
    })
  }
  const journal: Journal = { version: 1, at, files }
  await writeFileAtomically(join(folder, FILE_NAME), `${JSON.stringify(journal, null, 2)}\n`, { flush: true })
  return { folder, journal }
}

/** What could not be written needs no way back. */
export async function forgetFiles({ folder, journal }: JournaledRun, files: readonly string[]): Promise<void> {
  const left: Journal = { ...journal, files: journal.files.filter(({ file }) => !files.includes(file)) }
  await writeFileAtomically(join(folder, FILE_NAME), `${JSON.stringify(left, null, 2)}\n`, { flush: true })
}

async function makeFolder(home: string, at: string): Promise<string> {
  const stamp = at.replace(/[-:]/g, '').replace('.', '-').replace('Z', '')
  const taken = new Set(await listFolders(home))
  for (let number = 1; ; number++) {
    const name = number === 1 ? stamp : `${stamp}-${number}`
    if (taken.has(name)) continue
    const folder = join(home, 'init', name)
    await ensurePrivateFolder(join(home, 'init'))
    await ensurePrivateFolder(folder)
    return folder
  }
}

/** Oldest first. A folder without a journal is of a run that had not begun: nothing was touched. */
export async function readJournals(home: string): Promise<JournaledRun[]> {
  const runs: JournaledRun[] = []
  for (const name of (await listFolders(home)).sort()) {
    const folder = join(home, 'init', name)
    const file = join(folder, FILE_NAME)
    const text = await readForeignBytes(file, { maxBytes: MAX_BYTES }).then(String, () => undefined)
    if (text === undefined) continue
    runs.push({ folder, journal: parseJournal(text, file) })
  }
  return runs
}

export function readCopy({ folder }: JournaledRun, copy: string): Promise<Buffer> {
  return readForeignBytes(join(folder, basename(copy)), { maxBytes: MAX_BYTES })
}

export async function removeJournal({ folder }: JournaledRun): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

async function listFolders(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'init'), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

function parseJournal(text: string, file: string): Journal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (isJsonObject(value) && value.version === 1 && Array.isArray(value.files)) {
    // Ours alone write there, and the version is the one that this is.
    return value as unknown as Journal
  }
  throw new SwitchboardError('invalid_configuration', `${file} is no journal that this version of Switchboard reads.`, {
    hint: 'The files as they were lie beside it: put them back by hand, then remove the folder.',
  })
}
