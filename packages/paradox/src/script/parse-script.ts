/**
 * Paradox script from bytes to a tree: never throws, always ends, and takes time in proportion to the bytes.
 *
 * A file is first read as it stands. Only where that ends with blocks open is it read again, with a key at the margin that
 * opens a block (`name = {`) closing whatever is open, since one forgotten brace would else hide all that follows. Read so from
 * the start, seven of five thousand sound files would be torn, so a file whose braces balance never is.
 */
import { END_OF_FILE } from './bytes.ts'
import { findEncodingProblems, hasMark } from './encoding.ts'
import { Items } from './items.ts'
import { MAX_PROBLEMS, type ScriptProblem } from './problem.ts'
import { readItems } from './read-items.ts'
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

/** For one who is done with the tree before the next file is read: its memory is used again. */
export function parseShared(bytes: Uint8Array, items: Items = shared): ParsedScript {
  const start = hasMark(bytes, 0) ? 3 : 0
  const mark = bytes.indexOf(END_OF_FILE, start)
  const end = mark < 0 ? bytes.length : mark
  const plain = readItems(bytes, start, end, items, false)
  let problems = plain.problems
  if (plain.unclosed > 0) {
    const synced = readItems(bytes, start, end, items, true)
    // Where nested keys stand at the margin, every one of them leaves a brace over: then the first reading was better.
    if (synced.stray - plain.stray >= Math.max(1, synced.closings / 2)) readItems(bytes, start, end, items, false)
    else problems = synced.problems
  }
  const encoding = findEncodingProblems(bytes, start, end)
  if (encoding.length > 0) problems = [...problems, ...encoding].sort((a, b) => a.start - b.start)
  return { tree: new ScriptTree(bytes, items.nodes, items.size, end), problems: problems.slice(0, MAX_PROBLEMS) }
}
