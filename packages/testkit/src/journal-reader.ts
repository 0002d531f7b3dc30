import { readFile } from 'node:fs/promises'
import { type WaitOptions, waitFor } from './wait-for.ts'

/** One line of a fixture's journal. */
export interface JournalEntry {
  /** Milliseconds since the epoch. */
  at: number
  pid: number
  /**
   * start, message, cancelled, heeded-cancel, answered-late, blocking, signal, eof, exit, crash, grandchild, http,
   * unreadable, stdout-error.
   */
  event: string
  /** The message received, for `message`. */
  message?: { id?: string | number; method?: string; params?: Record<string, unknown>; [key: string]: unknown }
  [detail: string]: unknown
}

/** Everything written so far; a last line that is still being written is left out. A missing file is an empty journal. */
export async function readJournal(path: string): Promise<JournalEntry[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  // Only the fixture's Journal writes these lines.
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as JournalEntry]))
}

/** The first entry that fits, waiting for it if need be. */
export async function waitForJournal(
  path: string,
  predicate: (entry: JournalEntry) => boolean,
  options: WaitOptions = {},
): Promise<JournalEntry> {
  const find = async () => (await readJournal(path)).find(predicate)
  return waitFor(find, { what: `a journal entry that fits ${predicate.toString()}`, ...options })
}
