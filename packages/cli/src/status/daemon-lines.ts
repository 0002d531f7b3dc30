/** The daemon as lines: who it is, who is attached to it, what its queue does. Pure: a report in, lines out. */
import { formatSentences } from '@switchboard/protocol/errors'
import type { ActivityReport, DaemonReport, InstanceReport, QueueReport } from '../backend/daemon-report.ts'
import { VERSION } from '../program/program-version.ts'
import { formatClock, formatCount, formatDuration } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { fitText } from '../terminal/text-width.ts'
import { explainProject } from './project-lines.ts'
import { describeRefused } from './refused-connections.ts'

export interface DaemonLinesOptions {
  readonly style: Style
  readonly width: number
  readonly now: number
}

/** One line, and a further one for everything that a person should do something about. */
export function renderDaemonHeader(report: DaemonReport, { style, width, now }: DaemonLinesOptions): string[] {
  const { pid, version, started_at, state, http } = report.daemon
  const up = formatAge(started_at, now)
  const told = [`daemon ${version}`, `pid ${pid}`, ...(up === undefined ? [] : [`up ${up}`])]
  const phase = state === 'running' ? '' : ` ${style.yellow(`(${toSafeLine(state)})`)}`
  const address = http !== null && 'url' in http ? ` · ${style.bold(formatAddress(http.url))}` : ''
  const lines = [`  ${style.green('●')} ${told.join(', ')}${phase}${address}`]
  for (const line of explainDaemon(report)) lines.push(`  ${style.yellow(line)}`)
  return lines.map((line) => fitText(line, width))
}

export const OPEN_TO_ALL =
  'every user of this machine may call, and so run programs as you: gateway.auth is none; remove it from the configuration'

/** What a person should know or do, besides the state of the servers. */
export function explainDaemon({ daemon, configuration, projects = [] }: DaemonReport): string[] {
  const { version, http, connections, bugs } = daemon
  const lines: string[] = configuration.state === 'ok' ? (configuration.doubts ?? []).map(toSafeLine) : []
  if (version !== VERSION) lines.push(`this command is ${VERSION}: restart the daemon with switchboard restart`)
  if (http !== null && 'error' in http) {
    lines.push(`no HTTP: ${toSafeLine(formatSentences({ message: http.error, hint: http.hint }))}`)
  }
  if (http !== null && 'url' in http && http.auth === 'none') lines.push(OPEN_TO_ALL)
  const refused = describeRefused(connections)
  if (refused !== undefined) lines.push(refused)
  if (bugs > 0) lines.push(describeBugs(bugs))
  for (const project of projects) lines.push(...explainProject(project))
  return lines
}

export function describeBugs(bugs: number): string {
  const times = bugs === 1 ? 'once' : `${bugs} times`
  return `a bug was met ${times}, and survived: please report what switchboard logs --source daemon --level error shows`
}

/** Of a base address: where clients connect. */
export function formatAddress(url: string): string {
  return url.endsWith('/mcp') ? url : `${url.replace(/\/$/, '')}/mcp`
}

const COLUMNS: readonly Column[] = [
  { header: 'INSTANCE' },
  { header: 'CLIENT', shrinksTo: 10 },
  { header: 'PROFILE', priority: 3 },
  { header: 'MODE', priority: 4 },
  { header: 'IN FLIGHT', short: 'BUSY', align: 'right', priority: 5 },
  { header: 'CALLS', align: 'right', priority: 1 },
  { header: 'SINCE', align: 'right', priority: 2 },
]

/** Windows and commands that are attached; nothing when there are none. */
export function renderInstances(
  instances: readonly InstanceReport[],
  { style, width, now }: DaemonLinesOptions,
): string[] {
  if (instances.length === 0) return []
  const none = style.dim('–')
  const table = renderTable(
    COLUMNS,
    instances.map(({ instance, role, client, profile, mode, in_flight, calls, attached_at }) => [
      instance,
      toSafeLine(client?.name ?? role),
      profile === undefined ? none : toSafeLine(profile),
      mode === undefined ? none : toSafeLine(mode),
      String(in_flight),
      String(calls),
      formatAge(attached_at, now) ?? none,
    ]),
    { width: width - 2, style },
  )
  return [table.header, ...table.rows].map((row) => `  ${row}`)
}

/** `index queue: idle since 14:02:11, 120 items, 2 errors`. Undefined: nobody has used it yet, and nobody need know of it. */
export function describeQueue(queue: QueueReport, activity: ActivityReport): string | undefined {
  const { pending, running } = queue
  if (activity.state === 'never_ran' && pending + running === 0) return undefined
  const waiting = pending + running === 0 ? '' : `, ${pending} waiting, ${running} running`
  return `index queue: ${describeActivity(activity)}${waiting}`
}

function describeActivity({ state, items = 0, errors = 0, idle_since, started_at }: ActivityReport): string {
  const done = `${formatCount(items, 'item')}${errors === 0 ? '' : `, ${formatCount(errors, 'error')}`}`
  switch (state) {
    case 'never_ran':
      return 'never ran'
    case 'running':
      return `running${formatSince(started_at)}, ${done}`
    case 'idle':
      return `idle${formatSince(idle_since)}, ${done}`
    case 'failed':
      return `failed, ${done}; switchboard logs --source daemon --level error shows why`
    default:
      return toSafeLine(String(state))
  }
}

function formatSince(time: string | null | undefined): string {
  const at = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(at) ? '' : ` since ${formatClock(at)}`
}

function formatAge(time: string, now: number): string | undefined {
  const at = Date.parse(time)
  return Number.isNaN(at) ? undefined : formatDuration(Math.max(0, now - at)).replace(/^\d+ms$/, '0s')
}
