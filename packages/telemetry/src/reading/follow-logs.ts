/**
 * Lines as they are written, over rotation, restarts and new files. Files are followed by identity: a rotated file is
 * read to its end under its new name before anything of it is forgotten.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { formatTimestamp } from '../days.ts'
import { MAX_LOG_LINE_BYTES, toLines } from './file-line-reader.ts'
import { type LogFile, listLogFiles, openLogFile } from './log-files.ts'
import { type LogLine, LogMatcher, type LogQuery } from './log-query.ts'
import { parseLogLine } from './parse-log-line.ts'
import { readListed } from './read-logs.ts'

export interface FollowQuery extends LogQuery {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal
  /** Pause between two looks, in ms. Default 250. */
  readonly pollMs?: number
}

interface Followed {
  /** Everything before it was given out: the start of a line. */
  offset: number
  /** The first bytes: another file under a reused inode begins differently. */
  head: Buffer
  /** The time of the last line, for malformed ones. */
  ts: string
}

const HEAD_BYTES = 64
const BATCH_BYTES = MAX_LOG_LINE_BYTES

/**
 * With `since` or `limit`: first the matching lines that are there. Then, and otherwise only, those that are written
 * from the first step of the iteration on. Nothing is lost or told twice between the two.
 */
export async function* followLogs(query: FollowQuery): AsyncGenerator<LogLine, void, undefined> {
  const { signal, pollMs = 250, ...rest } = query
  const { directory } = rest
  const matcher = new LogMatcher(query)
  const followed = new Map<string, Followed>()
  const history = await startAtEnds(await listLogFiles(directory), followed)
  if (query.since !== undefined || query.limit !== undefined) {
    for await (const line of readListed(history, rest)) {
      if (signal?.aborted) return
      yield line
    }
  }
  while (!signal?.aborted) {
    const { lines, isMore } = await readNew(directory, followed, matcher)
    for (const line of lines) {
      if (signal?.aborted) return
      yield line
    }
    if (!isMore) await wait(pollMs, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

/** Puts every file at the end of its last whole line, and returns the files cut there: what is history. */
async function startAtEnds(files: readonly LogFile[], followed: Map<string, Followed>): Promise<LogFile[]> {
  const history: LogFile[] = []
  for (const file of files) {
    const handle = await openLogFile(file).catch(() => undefined)
    if (!handle) continue
    try {
      const tail = Buffer.alloc(Math.min(file.size, BATCH_BYTES))
      const { bytesRead } = await handle.read(tail, 0, tail.length, file.size - tail.length)
      const offset = file.size - tail.length + tail.subarray(0, bytesRead).lastIndexOf('\n') + 1
      const head = Buffer.alloc(HEAD_BYTES)
      const { bytesRead: headBytes } = await handle.read(head, 0, Math.min(HEAD_BYTES, offset), 0)
      followed.set(file.identity, { offset, head: head.subarray(0, headBytes), ts: formatTimestamp(file.mtime) })
      history.push({ ...file, size: offset })
    } finally {
      await handle.close()
    }
  }
  return history
}

async function readNew(
  directory: string,
  followed: Map<string, Followed>,
  matcher: LogMatcher,
): Promise<{ lines: LogLine[]; isMore: boolean }> {
  const files = await listLogFiles(directory).catch(() => [])
  const lines: LogLine[] = []
  let isMore = false
  const seen = new Set<string>()
  for (const file of files) {
    seen.add(file.identity)
    if (!matcher.matchesSource(file.source)) continue
    let state = followed.get(file.identity)
    if (!state) {
      state = { offset: 0, head: Buffer.alloc(0), ts: formatTimestamp(file.mtime) }
      followed.set(file.identity, state)
    }
    if (file.size === state.offset) continue
    const raw = await readFrom(file, state).catch(() => [])
    for (const text of raw) {
      const line = parseLogLine(text, file.source, state.ts)
      state.ts = line.ts
      if (matcher.matches(line, text)) lines.push(line)
    }
    isMore ||= raw.length > 0
  }
  for (const identity of followed.keys()) if (!seen.has(identity)) followed.delete(identity)
  lines.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
  return { lines, isMore }
}

/** The next whole lines of a file, up to a batch. */
async function readFrom(file: LogFile, state: Followed): Promise<string[]> {
  const handle = await openLogFile(file)
  if (!handle) return []
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead: headBytes } = await handle.read(head, 0, HEAD_BYTES, 0)
    const isSame = head.subarray(0, headBytes).subarray(0, state.head.length).equals(state.head)
    if (!isSame || file.size < state.offset) state.offset = 0
    state.head = head.subarray(0, headBytes)
    const buffer = Buffer.alloc(BATCH_BYTES)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, state.offset)
    const bytes = buffer.subarray(0, bytesRead)
    // A full batch without a newline is garbage: passed on as it is, lest it blocks what comes after.
    const end = bytesRead === BATCH_BYTES && !bytes.includes('\n') ? bytesRead : bytes.lastIndexOf('\n') + 1
    state.offset += end
    return toLines(bytes.subarray(0, end))
  } finally {
    await handle.close()
  }
}
