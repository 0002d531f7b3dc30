/** What differs between two texts, line by line, as people read it: with a few lines around each change. */

export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly text: string
}

export interface DiffOptions {
  /** How many lines around a change are shown. */
  readonly context?: number
  /** Beyond it the middle is shown as replaced: nobody reads such a difference line by line. The time grows with its square. */
  readonly mostEdits?: number
}

const MOST_EDITS = 1_500

export function diffLines(
  before: string,
  after: string,
  { context = 2, mostEdits = MOST_EDITS }: DiffOptions = {},
): DiffLine[] {
  const [one, other] = [toLines(before), toLines(after)]
  let start = 0
  while (start < one.length && start < other.length && one[start] === other[start]) start++
  let end = 0
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  const middle = diffMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end), mostEdits)
  return shorten([...one.slice(0, start).map(same), ...middle, ...one.slice(one.length - end).map(same)], context)
}

function toLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The shortest way, by Myers: `trail` has the furthest reach on every diagonal for each number of edits. */
function diffMiddle(one: readonly string[], other: readonly string[], mostEdits: number): DiffLine[] {
  const trail: Map<number, number>[] = []
  let reach = new Map<number, number>([[1, 0]])
  for (let edits = 0; edits <= mostEdits; edits++) {
    const next = new Map<number, number>()
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const [down, right] = [reach.get(diagonal + 1) ?? -1, reach.get(diagonal - 1) ?? -1]
      let x = diagonal === -edits || (diagonal !== edits && right < down) ? down : right + 1
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x++
      next.set(diagonal, x)
      if (x >= one.length && x - diagonal >= other.length) return walkBack([...trail, reach], one, other)
    }
    trail.push(reach)
    reach = next
  }
  const removed = one.map((text): DiffLine => ({ kind: 'removed', text }))
  return [...removed, ...other.map((text): DiffLine => ({ kind: 'added', text }))]
}

function walkBack(
  trail: readonly ReadonlyMap<number, number>[],
  one: readonly string[],
  other: readonly string[],
): DiffLine[] {
  const lines: DiffLine[] = []
  let [x, y] = [one.length, other.length]
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits]
    const diagonal = x - y
    const [down, right] = [reach?.get(diagonal + 1) ?? -1, reach?.get(diagonal - 1) ?? -1]
    const isDown = diagonal === -edits || (diagonal !== edits && right < down)
    const from = isDown ? down : right
    const fromY = isDown ? from - diagonal - 1 : from - diagonal + 1
    const floor = edits === 0 ? 0 : isDown ? from : from + 1
    while (x > floor && y > 0 && (edits > 0 || x > 0)) {
      x--
      y--
      lines.push({ kind: 'same', text: one[x] ?? '' })
    }
    if (edits === 0) break
    lines.push(isDown ? { kind: 'added', text: other[fromY] ?? '' } : { kind: 'removed', text: one[from] ?? '' })
    ;[x, y] = [from, fromY]
  }
  return lines.reverse()
}

function shorten(lines: readonly DiffLine[], context: number): DiffLine[] {
  const isNear = lines.map(() => false)
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    for (let near = index - context; near <= index + context; near++) isNear[near] = true
  }
  const shown: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    if (isNear[index] === true) shown.push(line)
    else if (isNear[index - 1] === true && index < lines.length - context) shown.push({ kind: 'gap', text: '' })
  }
  return shown.at(-1)?.kind === 'gap' ? shown.slice(0, -1) : shown
}
