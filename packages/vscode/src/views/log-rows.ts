/** The view "Logs": the last lines of this window, its front and the daemon, the newest first. */
import type { LogLine } from '@switchboard/telemetry'
import { formatTime } from './format-time.ts'
import type { ViewRow } from './row.ts'

const LOOKS: Readonly<Record<string, { readonly icon: string; readonly color?: string }>> = {
  error: { icon: 'error', color: 'list.errorForeground' },
  warn: { icon: 'warning', color: 'list.warningForeground' },
  info: { icon: 'info' },
}

export function createLogRows(lines: readonly LogLine[]): ViewRow[] {
  return lines
    .map((line, index): ViewRow => {
      const { ts, source, cat, msg, level, trace_id, data } = line
      const look = LOOKS[level] ?? { icon: 'debug-alt' }
      return {
        id: `log/${ts}/${source}/${index}`,
        label: msg,
        description: `${cat} · ${formatTime(ts)}`,
        tooltip: [msg, `${ts} ${source} ${cat}`, ...(data === undefined ? [] : [JSON.stringify(data)])].join('\n'),
        icon: look.icon,
        ...(look.color === undefined ? {} : { color: look.color }),
        kind: trace_id === undefined ? 'log' : 'log-traced',
        ...(trace_id === undefined ? {} : { subject: trace_id }),
      }
    })
    .reverse()
}

/** As a line of text, for the output channel. */
export function formatLine({ ts, level, source, cat, msg, trace_id, data }: LogLine): string {
  const trace = trace_id === undefined ? '' : ` trace=${trace_id}`
  const rest = data === undefined ? '' : ` ${JSON.stringify(data)}`
  return `${ts} [${level}] ${source} ${cat}: ${msg}${trace}${rest}`
}
