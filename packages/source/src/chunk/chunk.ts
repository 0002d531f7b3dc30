/** Pieces of a file that are found by themselves: whole lines, each in one piece. */
export interface Chunk {
  /** From 1. */
  readonly first: number
  readonly last: number
  readonly text: string
  /** What it is or belongs to: `Reader.open`, `Install > On Windows`. */
  readonly symbol?: string
  /** `function`, `class`, `heading` … */
  readonly kind?: string
  /** All that is declared in it. */
  readonly names: readonly string[]
}

/** Lines that belong together, and to what. */
export interface Segment {
  /** From 0. */
  first: number
  last: number
  readonly role: 'imports' | 'declaration' | 'part'
  /** What it is inside of; empty: the file. */
  readonly container: string
  readonly symbol?: string | undefined
  readonly kind?: string | undefined
  names: readonly string[]
}

/** Characters. What is larger is divided. */
export const MAX_CHUNK = 2_400
/** Smaller neighbours are put together up to this. */
const SMALL_CHUNK = 1_000
/** Too little to be found by: a bracket that closes. */
const TINY = 80

export class Lines {
  readonly #lines: readonly string[]
  /** Characters before each line. */
  readonly #starts: number[] = [0]

  constructor(text: string) {
    this.#lines = text.split('\n')
    for (const line of this.#lines) this.#starts.push((this.#starts.at(-1) ?? 0) + line.length + 1)
  }

  get count(): number {
    return this.#lines.length
  }

  at(line: number): string {
    return this.#lines[line] ?? ''
  }

  isBlank(line: number): boolean {
    return this.at(line).trim() === ''
  }

  size(first: number, last: number): number {
    return (this.#starts[last + 1] ?? 0) - (this.#starts[first] ?? 0)
  }

  text(first: number, last: number): string {
    return this.#lines.slice(first, last + 1).join('\n')
  }
}

/** Segments in their order, put together and divided so that each piece has a good size. Every line that says something is in one. */
export function packSegments(lines: Lines, segments: readonly Segment[]): Chunk[] {
  const chunks: Chunk[] = []
  let group: Segment[] = []
  const flush = (): void => {
    if (group.length > 0) chunks.push(...toChunks(lines, group))
    group = []
  }
  for (const segment of closeGaps(lines, segments)) {
    const first = group[0]
    if (first !== undefined && !mayJoin(lines, first, group.at(-1) ?? first, segment)) flush()
    group.push(segment)
  }
  flush()
  return chunks
}

function mayJoin(lines: Lines, first: Segment, previous: Segment, next: Segment): boolean {
  const size = lines.size(first.first, next.last)
  if (size > MAX_CHUNK) return false
  const isRest = next.symbol === undefined && lines.size(next.first, next.last) < TINY
  if (isRest || lines.size(first.first, previous.last) < TINY) return true
  if (previous.role === 'imports' || next.role === 'imports') return previous.role === next.role
  if (previous.container !== next.container) return false
  // Statements of one function that is too large fill a piece; declarations stay by themselves unless they are small.
  return size <= (previous.role === 'part' && next.role === 'part' ? MAX_CHUNK : SMALL_CHUNK)
}

/** Without overlaps, and with the lines between them: a bracket right behind belongs to what it closes, the rest to what follows. */
function closeGaps(lines: Lines, segments: readonly Segment[]): Segment[] {
  const closed: Segment[] = []
  let next = 0
  for (const segment of segments) {
    const previous = closed.at(-1)
    if (segment.last < next && previous !== undefined) {
      previous.names = [...previous.names, ...segment.names]
      continue
    }
    let first = next
    while (previous !== undefined && first < segment.first && !lines.isBlank(first)) previous.last = first++
    while (first < segment.first && lines.isBlank(first)) first++
    closed.push({ ...segment, first })
    next = segment.last + 1
  }
  let last = lines.count - 1
  while (last >= next && lines.isBlank(last)) last--
  if (last >= next) closed.push({ first: next, last, role: 'part', container: '', names: [] })
  return closed
}

function toChunks(lines: Lines, group: readonly Segment[]): Chunk[] {
  const first = group[0]?.first ?? 0
  const last = group.at(-1)?.last ?? first
  const label = labelOf(group)
  const names = [...new Set(group.flatMap((segment) => segment.names))]
  return cutLines(lines, first, last).map((piece, at) => ({ ...piece, ...label, names: at === 0 ? names : [] }))
}

function labelOf(group: readonly Segment[]): { symbol?: string; kind?: string } {
  const named = group.filter(({ symbol }) => symbol !== undefined)
  const [main] = named
  if (main === undefined) {
    const { container = '' } = group[0] ?? {}
    if (group.some(({ role }) => role === 'imports')) return { kind: 'imports' }
    return container === '' ? {} : { symbol: container, kind: 'part' }
  }
  const symbols = [...new Set(named.map(({ symbol = '' }) => symbol))]
  const shown = symbols.length > 3 ? `${symbols.slice(0, 3).join(', ')} …` : symbols.join(', ')
  return { symbol: shown, ...(main.kind === undefined ? {} : { kind: main.kind }) }
}

/** A line that is too long by itself is cut into several pieces of that line. */
function cutLines(lines: Lines, first: number, last: number): { first: number; last: number; text: string }[] {
  const pieces: { first: number; last: number; text: string }[] = []
  let start = first
  const take = (end: number): void => {
    const text = lines.text(start, end)
    for (let at = 0; at < text.length; at += MAX_CHUNK) {
      const part = text.slice(at, at + MAX_CHUNK)
      if (part.trim() !== '') pieces.push({ first: start + 1, last: end + 1, text: part })
    }
    start = end + 1
  }
  if (lines.size(first, last) <= MAX_CHUNK) take(last)
  while (start <= last) {
    let end = start
    while (end < last && lines.size(start, end + 1) <= MAX_CHUNK) end++
    take(end)
  }
  return pieces
}
