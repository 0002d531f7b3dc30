/** Text without a grammar: by headings where it has some, else by its blank lines. */
import { type Chunk, Lines, MAX_CHUNK, packSegments, type Segment } from './chunk.ts'

/** Paragraphs, and what of a program stands between blank lines: a new piece begins where a line begins at the margin. */
export function chunkByBlankLines(text: string): Chunk[] {
  const lines = new Lines(text)
  return packSegments(lines, paragraphsOf(lines, 0, lines.count - 1, ''))
}

export function chunkMarkdown(text: string): Chunk[] {
  const lines = new Lines(text)
  const sections = sectionsOf(lines)
  return packSegments(
    lines,
    sections.flatMap((section) => {
      if (lines.size(section.first, section.last) <= MAX_CHUNK) return [section]
      const { symbol = '', kind, names } = section
      const [head, ...others] = paragraphsOf(lines, section.first, section.last, symbol)
      return head === undefined ? [section] : [{ ...head, symbol, kind, names }, ...others]
    }),
  )
}

function sectionsOf(lines: Lines): Segment[] {
  const sections: Segment[] = []
  const path: { level: number; title: string }[] = []
  let start = 0
  let fence = ''
  const close = (last: number): void => {
    if (last < start) return
    const title = path.map((heading) => heading.title).join(' > ')
    const label = title === '' ? {} : { symbol: title, kind: 'heading' }
    const own = path.at(-1)?.title
    sections.push({
      first: start,
      last,
      role: 'declaration',
      container: '',
      ...label,
      names: own === undefined ? [] : [own],
    })
  }
  for (let at = 0; at < lines.count; at++) {
    const line = lines.at(at)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence) === true) fence = ''
      continue
    }
    if (mark !== undefined) fence = mark
    const heading = /^ {0,3}(#{1,6})[ \t](.*)$/.exec(line)
    if (heading === null) continue
    close(at - 1)
    const level = heading[1]?.length ?? 1
    while ((path.at(-1)?.level ?? 0) >= level) path.pop()
    const title = (heading[2] ?? '').replaceAll('#', ' ').trim().slice(0, 100)
    path.push({ level, title })
    start = at
  }
  close(lines.count - 1)
  return sections
}

function paragraphsOf(lines: Lines, first: number, last: number, container: string): Segment[] {
  const segments: Segment[] = []
  let start = -1
  let fence = ''
  for (let at = first; at <= last + 1; at++) {
    const isEnd = at > last
    const mark = isEnd ? undefined : /^ {0,3}(`{3,}|~{3,})/.exec(lines.at(at))?.[1]
    if (mark !== undefined) fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
    if (!isEnd && (fence !== '' || !lines.isBlank(at))) {
      if (start < 0) start = at
      continue
    }
    if (start < 0) continue
    const previous = segments.at(-1)
    const isIndented = /^\s/.test(lines.at(start))
    const role = 'declaration'
    // What is indented goes on with what is above it.
    if (isIndented && previous !== undefined && lines.size(previous.first, at - 1) <= MAX_CHUNK) previous.last = at - 1
    else segments.push({ first: start, last: at - 1, role, container, names: [] })
    start = -1
  }
  return segments
}
