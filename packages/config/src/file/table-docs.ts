/** The reference of all keys in Markdown, made from the table of keys. */
import type { Json } from '@switchboard/protocol'
import type { Field, FieldTable } from '../shape/field.ts'
import type { ObjectTable } from '../shape/object-type.ts'
import { listTables } from './list-tables.ts'

export function createTableDocs(root: ObjectTable): string {
  const sections = listTables(root).map(({ table, place }) => {
    const heading = table === root ? 'The file' : `${titleOf(table)} (\`${place}\`)`
    return `### ${heading}\n\n${createTable(table.fields)}`
  })
  return sections.join('\n\n')
}

function titleOf({ title, owner }: ObjectTable): string {
  return title ?? owner.charAt(0).toUpperCase() + owner.slice(1)
}

function createTable(fields: FieldTable): string {
  const entries = Object.entries(fields)
  const hasKinds = entries.some(([, { kinds }]) => kinds !== undefined)
  const columns = ['key', 'value', 'default', ...(hasKinds ? ['for'] : []), 'meaning']
  const rows = entries.map(([key, field]) => [
    `\`${key}\``,
    formatType(field),
    field.required ? 'required' : formatDefault(field.written),
    ...(hasKinds ? [field.kinds?.join(', ') ?? 'all'] : []),
    field.doc,
  ])
  return [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`).join('\n')
}

/** That a plain number is a duration in milliseconds is said once, above the table. */
function formatType({ type, unit }: Field<unknown>): string {
  return unit === undefined || unit === 'ms' ? type.short : `${type.short} ${unit}`
}

function formatDefault(written: Json | undefined): string {
  return written === undefined ? '–' : `\`${JSON.stringify(written)}\``
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}
