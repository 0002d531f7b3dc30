/**
 * Paradox script from bytes to a tree: never throws, always ends, and takes time in proportion to the bytes.
 *
 * A file is first read as it stands. Only where that ends with blocks open is it read again, with a key at the margin that
 * opens a block (`name = {`) closing whatever is open, since one forgotten brace would else hide all that follows. Read so from
 * the start, seven of five thousand sound files would be torn, so a file whose braces balance never is. The definitions that
 * turn out torn are then read by their indentation, which finds the very block; if that leaves more errors, it is not believed.
 */
import { END_OF_FILE } from './bytes.ts'
import { findEncodingProblems, hasMark, isWide } from './encoding.ts'
import { Items } from './items.ts'
import { MAX_PROBLEMS, type ScriptProblem } from './problem.ts'
import { type ReadingMode, type ReadOutcome, readItems } from './read-items.ts'
import { ScriptTree } from './tree.ts'

export interface ParsedScript {
  readonly tree: ScriptTree
  /** In the order of the text, at most 200. */
  readonly problems: readonly ScriptProblem[]
}

/** The tree is the caller's own. */
export function parseScript(bytes: Uint8Array): ParsedScript {
  const { tree, problems } = parseShared(bytes, new Items(bytes.length))
  return { tree, problems }
}

const shared = new Items(1 << 16)
/** A larger file has memory of its own, so that what is kept for the next stays small. */
const LARGEST_SHARED = 1 << 20

/** For one who is done with the tree before the next file is read: its memory is used again. */
export function parseShared(bytes: Uint8Array, items: Items = itemsFor(bytes)): ParsedScript {
  const start = hasMark(bytes, 0) ? 3 : 0
  const mark = bytes.indexOf(END_OF_FILE, start)
  const end = mark < 0 ? bytes.length : mark
  let problems = readBest(bytes, start, end, items)
  const encoding = findEncodingProblems(bytes, start, end)
  // Every second byte is a zero: whatever else would be told of it is not what is wrong.
  if (encoding.some(isWide)) problems = encoding
  else if (encoding.length > 0) problems = [...problems, ...encoding].sort((a, b) => a.start - b.start)
  return { tree: new ScriptTree(bytes, items.nodes, items.size, end), problems: problems.slice(0, MAX_PROBLEMS) }
}

function itemsFor({ length }: Uint8Array): Items {
  return length > LARGEST_SHARED ? new Items(length) : shared
}

const PLAIN: ReadingMode = { isSynced: false, indented: [] }
const SYNCED: ReadingMode = { isSynced: true, indented: [] }

/** Leaves the items of the best reading, and gives its problems. */
function readBest(bytes: Uint8Array, start: number, end: number, items: Items): readonly ScriptProblem[] {
  const read = (reading: ReadingMode): ReadOutcome => readItems(bytes, start, end, items, reading)
  let reading = PLAIN
  let best = read(PLAIN)
  if (best.problems.length === 0) return best.problems
  let last = reading
  if (best.unclosed > 0) {
    const synced = read(SYNCED)
    last = SYNCED
    // Where nested keys stand at the margin, every one of them leaves a brace over: then the first reading was better.
    if (synced.stray - best.stray < Math.max(1, synced.closings / 2)) {
      best = synced
      reading = SYNCED
    }
  }
  if (best.torn.length > 0) {
    // What is torn is read once more, with its indentation believed: if that mends it, the brace is known to the line.
    const believing = { isSynced: reading.isSynced, indented: inOrder(best.torn) }
    const mended = read(believing)
    last = believing
    if (mended.problems.length <= best.problems.length && mended.stray <= best.stray) {
      best = mended
      reading = believing
    }
  }
  if (last !== reading) read(reading)
  return best.problems
}

/** Pairs in the order of the text, none over another. */
function inOrder(torn: readonly number[]): number[] {
  const pairs: [number, number][] = []
  for (let at = 0; at < torn.length; at += 2) pairs.push([torn[at] ?? 0, torn[at + 1] ?? 0])
  pairs.sort((a, b) => a[0] - b[0])
  const ordered: number[] = []
  let reached = -1
  for (const [from, to] of pairs) {
    if (from >= reached) ordered.push(from, to)
    else if (to > reached) ordered[ordered.length - 1] = to
    reached = Math.max(reached, to)
  }
  return ordered
}
