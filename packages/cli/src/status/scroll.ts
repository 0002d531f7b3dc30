/** A list that is longer than its place: as much of it as fits, around the entry that is selected. Pure. */
import type { Style } from '../terminal/style.ts'

export interface ScrollOptions {
  readonly selected: number
  /** Lines that may be drawn; what is left out is told within them. */
  readonly room: number
  readonly style: Style
}

/** `entries`: the lines of each. The first line of an entry is what it is counted by. */
export function scrollTo(entries: readonly (readonly string[])[], { selected, room, style }: ScrollOptions): string[] {
  const lines = entries.flatMap((entry, index) => entry.map((text, at) => ({ text, index, isFirst: at === 0 })))
  if (lines.length <= room) return lines.map(({ text }) => text)
  const first = Math.max(
    0,
    lines.findIndex(({ index }) => index === selected),
  )
  const height = Math.min(entries[selected]?.length ?? 1, room)
  const wanted = first - Math.floor((room - height) / 2)
  const start = Math.max(0, Math.min(wanted, lines.length - room))
  const shown = lines.slice(start, start + room)
  const hasAbove = start > 0
  const hasBelow = start + room < lines.length
  const count = (part: typeof lines): number => part.filter(({ isFirst }) => isFirst).length
  const texts = shown.map(({ text }) => text)
  // The marks take the place of a line each, which is counted among what they stand for.
  if (hasAbove) texts[0] = style.dim(`  ↑ ${count(lines.slice(0, start + 1))} more`)
  if (hasBelow) texts[texts.length - 1] = style.dim(`  ↓ ${count(lines.slice(start + room - 1))} more`)
  return texts
}
