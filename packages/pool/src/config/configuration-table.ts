/** The reference of all keys in Markdown, made from the field table. */
import type { Json } from '@switchboard/protocol'
import { DAEMON_TABLE, TCP_TABLE } from './daemon-fields.ts'
import { POOL_TABLE, QUEUE_TABLE, SERVER_TABLE, TOOLS_TABLE } from './fields.ts'
import { GATEWAY_TABLE, OAUTH_TABLE, PROFILE_TABLE, PROFILE_TOOLS_TABLE, RATE_TABLE } from './gateway-fields.ts'
import { MODE_TABLE, MODE_TOOLS_TABLE } from './mode-fields.ts'
import { DEBUG_TABLE, PACKS_TABLE } from './pack-fields.ts'
import type { Field, FieldTable } from './read-fields.ts'

export function createConfigurationTable(): string {
  const sections: readonly (readonly [heading: string, fields: FieldTable])[] = [
    ['The file', POOL_TABLE.fields],
    ['A server (`mcpServers.<name>`)', SERVER_TABLE.fields],
    ['The tool rules of a server (`mcpServers.<name>.tools`)', TOOLS_TABLE.fields],
    ['A queue (`queues.<name>`)', QUEUE_TABLE.fields],
    ['A profile (`profiles.<name>`)', PROFILE_TABLE.fields],
    ['The tools of a profile (`profiles.<name>.tools`)', PROFILE_TOOLS_TABLE.fields],
    ['The gateway (`gateway`)', GATEWAY_TABLE.fields],
    ['OAuth (`gateway.oauth`)', OAUTH_TABLE.fields],
    ['A rate (`gateway.rates.<glob>`)', RATE_TABLE.fields],
    ['A mode (`modes.<name>`)', MODE_TABLE.fields],
    ['The tools of a mode (`modes.<name>.tools`)', MODE_TOOLS_TABLE.fields],
    ['The daemon (`daemon`)', DAEMON_TABLE.fields],
    ['TCP (`daemon.tcp`)', TCP_TABLE.fields],
    ['The packs (`packs`)', PACKS_TABLE.fields],
    ['The debugger (`packs.debug`)', DEBUG_TABLE.fields],
  ]
  return sections.map(([heading, fields]) => `### ${heading}\n\n${createTable(fields)}`).join('\n\n')
}

function createTable(fields: FieldTable): string {
  const entries = Object.entries(fields)
  const hasTransports = entries.some(([, { transports }]) => transports !== undefined)
  const columns = ['key', 'value', 'default', ...(hasTransports ? ['for'] : []), 'meaning']
  const rows = entries.map(([key, field]) => [
    `\`${key}\``,
    formatType(field),
    field.required === true ? 'required' : formatDefault(field.written),
    ...(hasTransports ? [field.transports?.join(', ') ?? 'all'] : []),
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
