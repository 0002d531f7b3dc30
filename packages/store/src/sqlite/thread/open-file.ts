/**
 * The file as it is found at the start, looked at before anybody may write to it. What is damaged is told, and left as it is: a
 * search index can be made anew, everything else is for a person to decide.
 */
import { chmodSync, closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs'
import { errorMessage } from '@switchboard/base'
import { ThreadFailure } from '../../thread/failure.ts'
import { backupNoteOf } from '../backup-note.ts'
import { Database } from './database.ts'
import { kindOf } from './failure.ts'

/** Bytes. What is larger is looked at as a whole when somebody asks for a check: the start must not take seconds. */
const MAX_CHECKED = 64 * 1024 * 1024
/** What the search index of a space consists of. */
const TEXT_INDEX = /^([a-z][a-z0-9_]*)_text(?:_(?:data|idx|docsize|config))?$/
const OWNER_ONLY = 0o600

/** Tells the spaces whose search index is damaged. Throws when more is. */
export function inspectFile(file: string): string[] {
  ownFile(file)
  if (statSync(file).size === 0) return []
  const problems = findProblems(file)
  const lost = problems.filter(({ space }) => space === undefined)
  if (lost.length === 0) return [...new Set(problems.flatMap(({ space }) => space ?? []))]
  const told = lost.slice(0, 3).map(({ text }) => text)
  throw new ThreadFailure('damaged', `It is damaged: ${told.join('; ')}`, { hint: damagedHint(file) })
}

/** Its log and the memory beside it are made with the same rights. */
function ownFile(file: string): void {
  closeSync(openSync(file, 'a', OWNER_ONLY))
  if (process.platform === 'win32') return
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, OWNER_ONLY)
}

interface Problem {
  readonly text: string
  /** Whose search index it is in. Undefined: it is in what was stored. */
  readonly space: string | undefined
}

function findProblems(file: string): Problem[] {
  try {
    const database = new Database(file, 'reader')
    try {
      return quickCheck(database, statSync(file).size > MAX_CHECKED)
    } finally {
      database.close()
    }
  } catch (error) {
    if (kindOf(error) !== 'damaged') throw error
    return [{ text: errorMessage(error), space: undefined }]
  }
}

/** Table by table, so that it is known where a problem is. Of one too large for that: whether its tables can be read at all. */
export function quickCheck({ handle }: Database, isLarge = false): Problem[] {
  const tables = handle.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return (isLarge ? [] : tables).flatMap((row) => {
    const name = String(row.name)
    const space = TEXT_INDEX.exec(name)?.[1]
    try {
      const found = handle.prepare(`PRAGMA quick_check("${name}")`).all()
      return found
        .map((line) => String(line.quick_check))
        .filter((text) => text !== 'ok')
        .map((text) => ({ text, space }))
    } catch (error) {
      return [{ text: errorMessage(error), space }]
    }
  })
}

function damagedHint(file: string): string {
  const backup = lastGoodBackup(file)
  const first = `Stop Switchboard and move ${file} away, with its -wal and -shm; nothing was changed in it.`
  if (backup === undefined) return `${first} No backup is known; \`sqlite3 ${file} .recover\` saves what can be read.`
  return `${first} Then copy the last good backup to its place: ${backup.file} of ${backup.at}.`
}

function lastGoodBackup(file: string): { file: string; at: string } | undefined {
  try {
    // Written by the store, beside its file.
    const note = JSON.parse(readFileSync(backupNoteOf(file), 'utf8')) as { file: string; at: string }
    return existsSync(note.file) && findProblems(note.file).length === 0 ? note : undefined
  } catch {
    return undefined
  }
}
