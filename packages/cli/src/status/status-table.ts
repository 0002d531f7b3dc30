/** The servers as a table, and under each that is not up why, and what to do. Pure: state in, lines out. */
import type { BackendServer } from '../backend/backend.ts'
import { formatDuration, formatTokens } from '../terminal/format.ts'
import { firstLine, toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { type Column, renderTable } from '../terminal/table.ts'
import { fitText } from '../terminal/text-width.ts'
import { formatState } from './server-state.ts'

const COLUMNS: readonly Column[] = [
  { header: 'SERVER', shrinksTo: 8, holds: 32 },
  { header: 'STATE' },
  { header: 'TRANSPORT', short: 'VIA', priority: 2 },
  { header: 'ERA', priority: 3 },
  { header: 'PID', align: 'right', priority: 5 },
  { header: 'UPTIME', align: 'right', priority: 8 },
  { header: 'RESTARTS', short: 'RST', align: 'right', priority: 6 },
  { header: 'IN FLIGHT', short: 'BUSY', align: 'right', priority: 7 },
  { header: 'P50/P95', align: 'right', priority: 4 },
  { header: 'TOOLS', align: 'right', priority: 9 },
  { header: 'TOKENS', align: 'right', priority: 1 },
]

const STDERR_LINES = 3

export interface StatusTableOptions {
  readonly style: Style
  readonly width: number
  /** The index of the server that keys act on. */
  readonly selected?: number | undefined
  /** What the list of each server's tools costs a model. */
  readonly tokens?: ReadonlyMap<string, number> | undefined
  /** The servers go on running: when the next attempt is due is worth saying. */
  readonly isLive?: boolean
  /** Room is scarce: of a server that is not selected one line says why it is not up, and none that it rests. */
  readonly isBrief?: boolean
}

export function renderStatusTable(servers: readonly BackendServer[], options: StatusTableOptions): string[] {
  const { header, entries } = renderStatusEntries(servers, options)
  return [header, ...entries.flat()]
}

/** The lines of each server apart. */
export function renderStatusEntries(
  servers: readonly BackendServer[],
  options: StatusTableOptions,
): { header: string; entries: string[][] } {
  const { style, width, selected, tokens, isLive = false, isBrief = false } = options
  const margin = 2
  const table = renderTable(
    COLUMNS,
    servers.map((server) => toCells(server, style, tokens?.get(server.name))),
    { width: width - margin, style },
  )
  const entries = servers.map((server, index) => {
    const reasons = explain(server, style, isLive)
    const told = isBrief && index !== selected ? reasons.slice(0, server.reason === undefined ? 0 : 1) : reasons
    return [
      `${index === selected ? style.bold(style.cyan('▸ ')) : '  '}${table.rows[index] ?? ''}`,
      ...told.map((reason) => fitText(`    ${reason}`, width)),
    ]
  })
  return { header: `  ${table.header}`, entries }
}

function toCells(server: BackendServer, style: Style, tokens: number | undefined): string[] {
  const { name, owner, state, transport, era, pid, uptimeMs, restarts, inFlight, queued, tools, stale } = server
  const none = style.dim('–')
  const isOff = state === 'disabled' || state === 'misconfigured'
  return [
    owner === undefined ? name : `${name} ${style.dim(`(${owner})`)}`,
    formatState(state, style),
    transport ?? none,
    era ?? none,
    pid === undefined ? none : String(pid),
    uptimeMs === undefined ? none : formatDuration(uptimeMs).replace(/^\d+ms$/, '0s'),
    isOff ? none : restarts > 0 ? style.yellow(String(restarts)) : '0',
    isOff ? none : queued > 0 ? `${inFlight}+${queued}` : String(inFlight),
    formatLatency(server) ?? none,
    tools === 0 && stale ? none : `${tools}${stale ? style.dim('*') : ''}`,
    tokens === undefined || tokens === 0 ? none : formatTokens(tokens),
  ]
}

function formatLatency({ p50Ms, p95Ms }: BackendServer): string | undefined {
  if (p50Ms === undefined || p95Ms === undefined) return undefined
  return `${Math.round(p50Ms)}/${Math.round(p95Ms)}ms`
}

/** Why it is not up, the next step, and when Switchboard tries again by itself. */
function explain(server: BackendServer, style: Style, isLive: boolean): string[] {
  const {
    state,
    reason,
    install,
    nextAttemptInMs,
    attempt,
    lastStderr,
    name,
    tools,
    missing = [],
    entryProblem,
    login,
    trust,
  } = server
  const lines: string[] = missing.map((what) => style.yellow(toSafeLine(what)))
  if (trust !== undefined) lines.push(style.yellow(toSafeLine(trust)))
  if (entryProblem !== undefined) {
    lines.push(style.yellow(`its entry is wrong, and it runs as it was before: ${firstLine(entryProblem)}`))
  }
  if (state === 'ready' || state === 'probing') {
    if (login === 'wanted')
      lines.push(style.yellow(`some of its calls want a login → switchboard server login ${name}`))
    return lines
  }
  if (reason !== undefined) lines.push(style.red(firstLine(reason)))
  if (reason !== undefined && state !== 'not_installed') {
    for (const line of foldRepeated(lastStderr).slice(-STDERR_LINES)) lines.push(style.dim(`│ ${toSafeLine(line)}`))
  }
  if (state === 'not_installed') {
    lines.push(
      `→ ${install === undefined ? 'install the program, or correct "command" in the configuration' : `install it: ${toSafeLine(install)}`}`,
    )
  }
  if (state === 'auth_required') {
    const isLogin = login === 'wanted'
    lines.push(
      isLogin
        ? `→ switchboard server login ${name}`
        : '→ add a valid Authorization header to "headers" in its configuration',
    )
  }
  if (state === 'misconfigured') lines.push(`→ ${findCure(reason ?? '')}`)
  if (state === 'disabled') lines.push(style.dim(`→ switchboard server enable ${name}`))
  if (state === 'idle') lines.push(style.dim(`starts at its first use${tools > 0 ? '; * tools as last seen' : ''}`))
  if (state === 'failed' || (state === 'backoff' && lastStderr.length > 0))
    lines.push(`→ switchboard server logs ${name}`)
  if (nextAttemptInMs !== undefined && isLive) {
    const when = nextAttemptInMs < 1000 ? 'now' : `in ${formatDuration(nextAttemptInMs)}`
    lines.push(style.dim(`next attempt ${when}${attempt > 1 ? ` (the ${attempt}${ordinal(attempt)})` : ''}`))
  }
  return lines
}

/** The name of a variable is told where a narrow screen does not cut it off. */
function findCure(reason: string): string {
  const [, variable] = /the variable (\w+) is not set/.exec(reason) ?? []
  return variable === undefined
    ? 'correct its entry; it is started as soon as the file is saved'
    : `set ${variable} where the daemon is started, then: switchboard restart`
}

/** A server that fails every time says the same thing every time. */
function foldRepeated(lines: readonly string[]): string[] {
  const folded: { line: string; count: number }[] = []
  for (const line of lines) {
    const last = folded.at(-1)
    if (last?.line === line) last.count++
    else folded.push({ line, count: 1 })
  }
  return folded.map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`))
}

function ordinal(value: number): string {
  const tens = value % 100
  if (tens >= 11 && tens <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'
}
