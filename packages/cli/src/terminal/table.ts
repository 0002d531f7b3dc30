/**
 * A table that fits: where there is not enough room, short headings come first, then the flexible column shrinks, then
 * the least important columns go. What a row is told by is cut last.
 */
import type { Style } from './style.ts'
import { fitText, padText, textWidth } from './text-width.ts'

export interface Column {
  readonly header: string
  /** The heading where room is scarce. */
  readonly short?: string
  readonly align?: 'right'
  /** The least important goes first; without one it stays. */
  readonly priority?: number
  /** Shrinks down to this width. */
  readonly shrinksTo?: number
  /** Shrinks no further than to this width while another column can still go. */
  readonly holds?: number
}

const GAP = '  '

export interface TableOptions {
  /** Infinity: nothing is cut. */
  readonly width: number
  readonly style: Style
}

export interface RenderedTable {
  readonly header: string
  readonly rows: readonly string[]
}

export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, style }: TableOptions,
): RenderedTable {
  const { kept, widths, isShort } = layOut(columns, rows, width)
  const render = (cells: readonly string[]): string =>
    kept
      .map((index, place) => {
        const cell = fitText(cells[index] ?? '', widths[place] ?? 0)
        const isLast = place === kept.length - 1 && columns[index]?.align === undefined
        return isLast ? cell : padText(cell, widths[place] ?? 0, columns[index]?.align)
      })
      .join(GAP)
      .trimEnd()
  const headers = columns.map((column) => headingOf(column, isShort))
  return { header: style.dim(render(headers)), rows: rows.map(render) }
}

interface Layout {
  readonly kept: readonly number[]
  readonly widths: readonly number[]
  readonly isShort: boolean
}

function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): Layout {
  let kept = columns.map((_, index) => index)
  for (let isShort = false; ; isShort = true) {
    const natural = kept.map((index) => naturalWidth(columns[index], index, rows, isShort))
    const gaps = GAP.length * (kept.length - 1)
    const excess = sum(natural) + gaps - width
    if (excess <= 0) return { kept, widths: natural, isShort }
    const droppable = kept.filter((index) => columns[index]?.priority !== undefined)
    const least = kept.map((index, place) => {
      const { shrinksTo = Infinity, holds = shrinksTo } = columns[index] ?? {}
      return Math.min(natural[place] ?? 0, droppable.length === 0 ? shrinksTo : holds)
    })
    const canShrink = sum(natural) - sum(least) >= excess
    if (isShort && (canShrink || droppable.length === 0)) {
      return { kept, widths: shrink(natural, least, excess), isShort }
    }
    if (!isShort) continue
    const dropped = droppable.reduce((a, b) => ((columns[b]?.priority ?? 0) < (columns[a]?.priority ?? 0) ? b : a))
    kept = kept.filter((index) => index !== dropped)
  }
}

function shrink(natural: readonly number[], least: readonly number[], excess: number): number[] {
  let left = excess
  return natural.map((width, place) => {
    const cut = Math.min(left, width - (least[place] ?? width))
    left -= cut
    return width - cut
  })
}

function naturalWidth(
  column: Column | undefined,
  index: number,
  rows: readonly (readonly string[])[],
  isShort: boolean,
): number {
  const heading = column === undefined ? 0 : textWidth(headingOf(column, isShort))
  return rows.reduce((widest, row) => Math.max(widest, textWidth(row[index] ?? '')), heading)
}

function headingOf({ header, short }: Column, isShort: boolean): string {
  return isShort ? (short ?? header) : header
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
