/** What is remembered, in a table: short ids, and projects as the paths of their folders. */
import type { CommandContext } from '../context/command-context.ts'
import { formatDuration, formatPath } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { type Column, renderTable } from '../terminal/table.ts'

/** As the memory answers with it. */
export interface MemoryRow {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly tags: readonly string[]
  /** Null: all projects see it. */
  readonly project: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly matched?: string
}

const SHORTEST = 8

export function printRows(context: CommandContext, rows: readonly MemoryRow[]): void {
  const { out, io } = context
  const shorten = createShortener(rows.map(({ id }) => id))
  const isMixed = new Set(rows.map(({ project }) => project)).size > 1
  const isFound = rows.some(({ matched }) => matched !== undefined)
  const columns: Column[] = [
    { header: 'ID' },
    { header: 'KIND', priority: 3 },
    { header: 'AGE', align: 'right', priority: 2 },
    ...(isMixed ? [{ header: 'PROJECT', priority: 1, shrinksTo: 12 }] : []),
    ...(isFound ? [{ header: 'MATCHED', priority: 0 }] : []),
    { header: 'TAGS', priority: 0, shrinksTo: 8 },
    { header: 'WHAT', shrinksTo: 20 },
  ]
  const cells = rows.map(({ id, kind, updatedAt, project, matched, tags, title }) => [
    out.style.cyan(shorten(id)),
    kind,
    formatAge(updatedAt),
    ...(isMixed ? [describeProject(project, io.env.HOME)] : []),
    ...(isFound ? [matched ?? ''] : []),
    toSafeLine(tags.join(' ')),
    toSafeLine(title),
  ])
  const table = renderTable(columns, cells, { width: out.width, style: out.style })
  for (const line of [table.header, ...table.rows]) out.line(line)
}

export function describeProject(project: string | null, userHome: string | undefined): string {
  return project === null ? 'shared' : toSafeLine(formatPath(project, userHome))
}

export function formatAge(time: string): string {
  return formatDuration(Math.max(0, Date.now() - Date.parse(time)))
}

/** As few characters of each as tell it from the others. */
function createShortener(ids: readonly string[]): (id: string) => string {
  let length = SHORTEST
  const areTold = (): boolean => new Set(ids.map((id) => id.slice(0, length))).size === new Set(ids).size
  while (!areTold()) length++
  return (id) => toSafeLine(id.slice(0, length))
}
