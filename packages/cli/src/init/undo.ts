/**
 * The way back. For each file of a run, the last one first:
 *
 * 1. It is as `init` left it: it gets back the bytes that it had, or goes when it was new.
 * 2. It is as it was before: nothing is to be done (the run was interrupted, or it was undone before).
 * 3. Its client, or a person, has changed it since: only the entries are put back; all else stays.
 * 4. That is not possible: it is left alone and told, with the copy. Then our configuration stays too, for its servers would be
 *    nowhere else; and so does the journal.
 */
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errorMessage } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import { editList, findInList, isSameValue, type ListEntry, readList } from '../clients/list/edit-list.ts'
import { applyChange, readNow } from './apply-changes.ts'
import { hashOf, type JournaledRun, type JournalFile, readCopy, readJournals, removeJournal } from './journal.ts'

export interface UndoneFile {
  readonly file: string
  /** `restored`: to the byte. `removed`: it was new. `reverted`: the entries alone. `kept`: nothing was to be done. */
  readonly outcome: 'restored' | 'removed' | 'reverted' | 'kept' | 'refused'
  /** What is not as it was, and why. */
  readonly notes: readonly string[]
  /** Where its bytes are as they were. */
  readonly copy?: string
}

const BLOCKED = 'a file above could not be undone, and its servers are only here'

/** `isOwn`: which files are Switchboard's own. They wait for all others. */
export async function undoRuns(home: string, isOwn: (file: string) => boolean): Promise<UndoneFile[]> {
  const undone: UndoneFile[] = []
  for (const run of (await readJournals(home)).reverse()) {
    const outcomes: UndoneFile[] = []
    for (const file of run.journal.files.toReversed()) {
      const isBlocked = isOwn(file.file) && outcomes.some(({ outcome }) => outcome === 'refused')
      if (!isOwn(file.file)) await removeDrafts(file.target)
      outcomes.push(isBlocked ? refuse(run, file, BLOCKED) : await undoFile(run, file, isOwn(file.file)))
    }
    undone.push(...outcomes)
    if (outcomes.every(({ outcome }) => outcome !== 'refused')) await removeJournal(run)
    else break
  }
  return undone
}

async function undoFile(run: JournaledRun, entry: JournalFile, isStrict: boolean): Promise<UndoneFile> {
  const { file, target, root, copy, after, mode } = entry
  try {
    const now = await readNow(file, root)
    const before = copy === undefined ? undefined : await readCopy(run, copy)
    if (now === undefined && before === undefined) return done(file, 'kept')
    if (now === undefined) {
      const isClientThere = await stat(dirname(target)).then(
        () => true,
        () => false,
      )
      if (!isClientThere) return done(file, 'kept', ['its folder is gone, so it is not made again'])
    }
    if (now !== undefined && before?.equals(now) === true) return done(file, 'kept')
    if (now !== undefined && hashOf(now) !== after) return await revertEntries(run, entry, now, isStrict)
    if (before === undefined) {
      await rm(target, { force: true })
      if (entry.isFolderNew) await rmdir(dirname(target)).catch(() => undefined)
      return done(file, 'removed')
    }
    const problem = await applyChange({ file, target, root, before: now, after: before.toString('utf8'), mode })
    return problem === undefined ? done(file, 'restored') : refuse(run, entry, problem)
  } catch (error) {
    return refuse(run, entry, errorMessage(error))
  }
}

/** What a run that was killed has left beside the file: `<file>.<uuid>.tmp`. */
async function removeDrafts(target: string): Promise<void> {
  const start = `${basename(target)}.`
  for (const name of await readdir(dirname(target)).catch(() => [])) {
    const isDraft =
      name.startsWith(start) && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/.test(name.slice(start.length))
    if (isDraft) await rm(join(dirname(target), name), { force: true })
  }
}

function done(file: string, outcome: UndoneFile['outcome'], notes: readonly string[] = []): UndoneFile {
  return { file, outcome, notes }
}

function refuse({ folder }: JournaledRun, { file, copy }: JournalFile, reason: string): UndoneFile {
  return { file, outcome: 'refused', notes: [reason], ...(copy === undefined ? {} : { copy: join(folder, copy) }) }
}

/** The third case. `isStrict`: an entry that a person has changed since is theirs. */
async function revertEntries(
  run: JournaledRun,
  entry: JournalFile,
  now: Buffer,
  isStrict: boolean,
): Promise<UndoneFile> {
  const { file, target, root, format, removed, added, mode } = entry
  const text = now.toString('utf8')
  const reading = await readList(text, format)
  if (reading.problem !== undefined) return refuse(run, entry, `it was changed, and cannot be read: ${reading.problem}`)
  const notes: string[] = []
  const back: ListEntry[] = []
  const gone: (readonly string[])[] = []
  for (const { path, value } of added) {
    const found = findInList(reading.value, path)
    if (found === undefined) continue
    if (isStrict ? isSameValue(found, value) : isSameProgram(found, value)) gone.push(path)
    else notes.push(`"${path.at(-1)}" was changed since, and stays`)
  }
  for (const { path, value } of removed) {
    const found = findInList(reading.value, path)
    if (found === undefined || gone.some((other) => isDeepStrictEqual(other, path))) back.push({ path, value })
    else if (!isSameValue(found, value)) notes.push(`there is another "${path.at(-1)}" by now, and it stays`)
  }
  if (gone.length + back.length === 0) return done(file, 'kept', notes)
  const edited = await editList(text, format, { remove: gone, add: back })
  if (edited.problem !== undefined) return refuse(run, entry, `it was changed, and ${edited.problem}`)
  const problem = await applyChange({ file, target, root, before: now, after: edited.text, mode })
  if (problem !== undefined) return refuse(run, entry, problem)
  return done(file, 'reverted', ['it was changed since: only the entries were put back', ...notes])
}

/** A client may add keys of its own to an entry. */
function isSameProgram(found: unknown, written: unknown): boolean {
  if (!isJsonObject(found) || !isJsonObject(written)) return false
  if (written.command === undefined) return found.url === written.url
  return found.command === written.command && isSameValue(found.args ?? [], written.args ?? [])
}
