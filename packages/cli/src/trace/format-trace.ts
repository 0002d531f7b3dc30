import { isJsonObject } from '@switchboard/protocol'
import type { AuditLine, Trace, TraceLine } from '@switchboard/telemetry'
import { formatData } from '../logs/format-log-line.ts'
import { formatBytes, formatDuration } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { padText } from '../terminal/text-width.ts'

export function formatTrace({ trace_id, calls, steps }: Trace, style: Style): string[] {
  const isBare = steps.every(({ source }) => source === 'audit')
  const offsets = steps.map(({ offset_ms }) => `+${offset_ms} ms`)
  const wide = Math.max(...offsets.map((text) => text.length))
  const source = Math.max(...steps.map((step) => step.source.length))
  const cat = Math.max(...steps.map((step) => categoryOf(step).length))
  return [
    `${style.bold('trace')} ${trace_id}`,
    ...calls.map((call) => describeCall(call, style)),
    '',
    ...steps.map((step, at) =>
      [
        padText(offsets[at] ?? '', wide, 'right'),
        style.dim(padText(step.source, source)),
        padText(categoryOf(step), cat),
        paint(step, style),
        style.dim(describeData(step.data)),
      ]
        .filter((part) => part !== '')
        .join('  ')
        .trimEnd(),
    ),
    ...(isBare
      ? ['', style.dim('More of its way is logged at the level debug: start with SWITCHBOARD_LOG_LEVEL=debug.')]
      : []),
  ]
}

/** What the message and the heading do not say already. */
const TOLD: ReadonlySet<string> = new Set(['tool', 'server', 'provider', 'outcome', 'code', 'duration_ms'])

function describeData(data: unknown): string {
  if (!isJsonObject(data)) return data === undefined ? '' : formatData(data)
  return formatData(Object.fromEntries(Object.entries(data).filter(([key]) => !TOLD.has(key))))
}

/** That of the audit entry says no more than its source. */
function categoryOf({ cat, source }: TraceLine): string {
  return cat === source ? '' : cat
}

function paint({ level, msg }: TraceLine, style: Style): string {
  const text = toSafeLine(msg)
  return level === 'error' ? style.red(text) : level === 'warn' ? style.yellow(text) : text
}

function describeCall(call: AuditLine, style: Style): string {
  const { ts, inst, tool, provider, outcome, code, duration_ms, bytes, caller } = call
  const end = outcome === 'ok' ? style.green(outcome) : style.red(code === undefined ? outcome : `${outcome}: ${code}`)
  const who = caller === null ? inst : `${toSafeLine(caller)} (${inst})`
  return `${toSafeLine(tool)} of ${provider} · ${end} · ${formatDuration(duration_ms)} · ${formatBytes(bytes)} · ${who} · ${style.dim(ts)}`
}

const COLUMNS: readonly Column[] = [
  { header: 'TRACE' },
  { header: 'ENDED' },
  { header: 'TOOL', shrinksTo: 12, holds: 40 },
  { header: 'OUTCOME' },
  { header: 'TOOK', align: 'right', priority: 3 },
  { header: 'CALLER', priority: 1, shrinksTo: 8 },
]

/** Newest last, as in the logs. */
export function formatCalls(calls: readonly AuditLine[], { style, width }: { style: Style; width: number }): string[] {
  const rows = calls.map(({ trace_id, ts, tool, outcome, code, duration_ms, caller, inst }) => [
    trace_id.slice(0, 12),
    ts,
    toSafeLine(tool),
    code ?? outcome,
    formatDuration(duration_ms),
    toSafeLine(caller ?? inst),
  ])
  const table = renderTable(COLUMNS, rows, { style, width })
  return [table.header, ...table.rows]
}
