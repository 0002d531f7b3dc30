/**
 * One definition from two, field by field, as a version control merges: what only one side changed against what both started
 * from is taken. Without such a start only what one side has and the other does not can be taken.
 */
import { normalizeScript } from '../conflicts/compare-definitions.ts'
import { parseScript } from '../script/parse-script.ts'
import { textOf } from '../script/tree.ts'

export interface Merged {
  readonly text: string
  /** Fields that both sides changed, each in its own way: those of `ours` stand in the text. */
  readonly disputed: readonly string[]
}

interface Part {
  readonly raw: string
  readonly normal: string
}

interface Fields {
  readonly head: string
  readonly parts: ReadonlyMap<string, Part>
}

/** Undefined: one of them is no block, so there is nothing to merge. */
export function mergeFields(base: Uint8Array | undefined, ours: Uint8Array, theirs: Uint8Array): Merged | undefined {
  const left = readFields(ours)
  const right = readFields(theirs)
  const start = base === undefined ? undefined : readFields(base)
  if (left === undefined || right === undefined) return undefined
  const disputed: string[] = []
  const kept: string[] = []
  for (const field of new Set([...left.parts.keys(), ...right.parts.keys()])) {
    const was = start?.parts.get(field)?.normal
    const mine = left.parts.get(field)
    const other = right.parts.get(field)
    const isMineChanged = start === undefined ? mine !== undefined : mine?.normal !== was
    const isOtherChanged = start === undefined ? other !== undefined : other?.normal !== was
    if (isMineChanged && isOtherChanged && mine?.normal !== other?.normal) disputed.push(field)
    const chosen = isMineChanged || !isOtherChanged ? mine : other
    if (chosen !== undefined) kept.push(chosen.raw)
  }
  const body = kept.map((raw) => `\t${raw}\n`).join('')
  return { text: `${left.head} {\n${body}}`, disputed }
}

/** What comes more than once under one key is one part, in its order. */
function readFields(bytes: Uint8Array): Fields | undefined {
  const { tree } = parseScript(bytes)
  if (tree.size === 0 || !tree.isBlock(0)) return undefined
  const parts = new Map<string, Part>()
  for (let child = tree.firstChild(0); child < tree.end(0); child = tree.next(child)) {
    const span = bytes.subarray(tree.start(child), tree.valueEnd(child))
    const key = tree.key(child)
    const raw = textOf(span, 0, span.length)
    const normal = normalizeScript(span)
    const known = parts.get(key)
    parts.set(
      key,
      known === undefined ? { raw, normal } : { raw: `${known.raw}\n\t${raw}`, normal: `${known.normal} ${normal}` },
    )
  }
  return { head: textOf(bytes, tree.start(0), tree.brace(0)).trimEnd(), parts }
}
