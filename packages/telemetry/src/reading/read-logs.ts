/**
 * Merges all log files of a folder by time while reading. Memory holds one chunk per file that is open, and a file is
 * open only while the merge passes through the time that it covers. With a limit the merge runs backwards from the
 * newest line and stops when it has enough: the last 100 lines of 500 MB cost the last few chunks.
 */
import type { Direction } from './file-line-reader.ts'
import { createCursor, LogCursor } from './log-cursor.ts'
import { type LogFile, listLogFiles } from './log-files.ts'
import { type LogLine, LogMatcher, type LogQuery } from './log-query.ts'

/** The matching lines in the order of time. A folder that does not exist holds none. */
export async function* readLogs(query: LogQuery): AsyncGenerator<LogLine, void, undefined> {
  yield* readListed(await listLogFiles(query.directory), query)
}

/** The same for files that were listed before: what was written to them since is left out. */
export async function* readListed(
  files: readonly LogFile[],
  query: LogQuery,
): AsyncGenerator<LogLine, void, undefined> {
  const { limit } = query
  if (limit === undefined) {
    yield* merge(files, query, 'forward')
    return
  }
  if (limit <= 0) return
  const last: LogLine[] = []
  for await (const line of merge(files, query, 'backward')) {
    last.push(line)
    if (last.length >= limit) break
  }
  yield* last.reverse()
}

async function* merge(
  files: readonly LogFile[],
  query: LogQuery,
  direction: Direction,
): AsyncGenerator<LogLine, void, undefined> {
  const matcher = new LogMatcher(query)
  const sign = direction === 'forward' ? 1 : -1
  const waiting: LogCursor[] = []
  const unreadable: LogLine[] = []
  for (const [index, file] of files.entries()) {
    const cursor = await createCursor(file, index, direction, matcher, query.signal)
    if (cursor instanceof LogCursor) waiting.push(cursor)
    else if (cursor && matcher.matches(cursor, cursor.msg)) unreadable.push(cursor)
  }
  // The next one to be opened stands last.
  waiting.sort((a, b) => -sign * (compareText(a.edge, b.edge) || a.index - b.index))
  const active: LogCursor[] = []
  try {
    if (direction === 'backward') yield* unreadable.toReversed()
    for (;;) {
      let next = first(active, sign)
      while (isDue(waiting.at(-1), next, sign)) {
        const cursor = waiting.pop()
        await cursor?.open()
        if (cursor?.head) active.push(cursor)
        next = first(active, sign)
      }
      if (!next?.head) break
      yield next.head.line
      if (!next.advance()) await next.fill()
      if (!next.head) active.splice(active.indexOf(next), 1)
    }
    if (direction === 'forward') yield* unreadable
  } finally {
    await Promise.all(active.map((cursor) => cursor.close()))
  }
}

/** A waiting file has to be opened when it may hold the next line. */
function isDue(waiting: LogCursor | undefined, next: LogCursor | undefined, sign: number): boolean {
  if (!waiting) return false
  return !next?.head || sign * compareText(waiting.edge, next.head.key) <= 0
}

function first(cursors: readonly LogCursor[], sign: number): LogCursor | undefined {
  let best: LogCursor | undefined
  for (const cursor of cursors) {
    if (!cursor.head) continue
    if (!best?.head) best = cursor
    else if (sign * (compareText(cursor.head.key, best.head.key) || cursor.index - best.index) < 0) best = cursor
  }
  return best
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
