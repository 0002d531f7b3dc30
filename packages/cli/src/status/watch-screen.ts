/** One frame of a live view: what is known in, lines that fit the terminal out. Pure. */
import type { BackendServer } from '../backend/backend.ts'
import type { DaemonReport } from '../backend/daemon-report.ts'
import { VERSION } from '../program/program-version.ts'
import { formatClock, formatCount, formatTokens } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { fitText, textWidth, wrapText } from '../terminal/text-width.ts'
import { formatAddress, renderDaemonHeader, renderInstances } from './daemon-lines.ts'
import { scrollTo } from './scroll.ts'
import { summarizeStates } from './server-state.ts'
import { renderStatusEntries } from './status-table.ts'
import { renderWelcome } from './welcome.ts'

export interface WatchEvent {
  readonly time: number
  readonly text: string
}

export interface WatchModel {
  readonly servers: readonly BackendServer[]
  readonly tools: number
  readonly tokens: number
  readonly tokensByServer?: ReadonlyMap<string, number>
  /** Whose servers they are; undefined: this command's own. */
  readonly daemon?: DaemonReport | undefined
  /** Lines that stand above the frame already: who it is, and how to connect to it. */
  readonly headerLines?: number
  /** Milliseconds; uptimes are told by it. */
  readonly now?: number
  readonly selected: number
  /** Newest last. */
  readonly events: readonly WatchEvent[]
  /** Of the configuration as it is saved now; the old one goes on running. */
  readonly problem: string | undefined
  readonly configFile: string
  /** What the key q does, in a word or two. Default: quit. */
  readonly quit?: string
  /** How it ends, in place of the keys. */
  readonly ending: string | undefined
}

export interface ScreenSize {
  readonly width: number
  readonly height: number
}

const MAX_EVENTS = 6
const MAX_PROBLEM_LINES = 6
/** Of the room, for the windows below servers that do not fit. */
const WINDOWS_SHARE = 0.25
/** A blank line, a heading, an entry, and how many are left out. */
const LEAST_LINES = 4
/** Events are cut to this many before the header is pushed off the screen. */
const LEAST_EVENTS = 3

export function renderWatchScreen(model: WatchModel, style: Style, size: ScreenSize): string[] {
  // The last column stays free: some terminals wrap a line that fills it.
  const width = Math.max(20, size.width - 1)
  const head = renderHead(model, style, width)
  if (head.length > 0) head.push('')
  const problem = renderProblem(model.problem, style, width)
  const foot = ['', renderKeys(model, style)]
  const room = Math.max(1, size.height - 1 - head.length - foot.length - problem.length)
  const shown = renderBody(model, style, width, room)
  const free = room - shown.length - 1
  const beside = Math.max(LEAST_EVENTS, free - (model.headerLines ?? 0))
  const events = renderEvents(model.events, Math.min(MAX_EVENTS, free, beside), style)
  return [...head, ...shown, ...problem, ...events, ...foot].map((line) => fitText(line, width))
}

function renderHead(model: WatchModel, style: Style, width: number): string[] {
  const { servers, tools, tokens, daemon, headerLines = 0, now = Date.now() } = model
  const summary = `${formatCount(tools, 'tool')}, about ${formatTokens(tokens)} tokens · ${summarizeStates(servers)}`
  // Above the frame stands who it is.
  if (headerLines > 0) return servers.length === 0 ? [] : [style.dim(`  ${summary}`)]
  const name = `${style.bold('Switchboard')} ${style.dim(VERSION)}`
  const title = servers.length === 0 ? [name] : joinEnds(name, style.dim(summary), width)
  return daemon === undefined ? title : [...title, ...renderDaemonHeader(daemon, { style, width, now })]
}

function joinEnds(left: string, right: string, width: number): string[] {
  const gap = width - textWidth(left) - textWidth(right)
  return gap < 2 ? [left, right] : [`${left}${' '.repeat(gap)}${right}`]
}

/** Windows take a part of the room where servers need it; servers scroll, so that the selected one is always seen. */
function renderBody(model: WatchModel, style: Style, width: number, room: number): string[] {
  const { servers, daemon, now = Date.now() } = model
  const table = servers.length === 0 ? renderEmpty(model, style, width) : renderServers(model, style, width)
  const instances = renderInstances(daemon?.instances ?? [], { style, width, now })
  const below = instances.length === 0 ? [] : ['', ...instances]
  if (table.length + below.length <= room) return [...table, ...below]
  const most = Math.max(Math.floor(room * WINDOWS_SHARE), room - table.length)
  const windows = limitLines(below, most, style)
  const left = Math.max(1, room - windows.length)
  if (servers.length === 0) return [...limitLines(table, left, style), ...windows]
  return [...renderServers(model, style, width, left), ...windows]
}

/** `room`: lines at most; without it all of them. */
function renderServers(model: WatchModel, style: Style, width: number, room?: number): string[] {
  const { servers, selected, tokensByServer: tokens } = model
  const render = (isBrief: boolean) =>
    renderStatusEntries(servers, { style, width, selected, tokens, isLive: true, isBrief })
  const { header, entries } = render(room !== undefined)
  if (room === undefined) return [header, ...entries.flat()]
  return [header, ...scrollTo(entries, { selected, room: Math.max(1, room - 1), style })]
}

/** How to add a server stands above, where it can be copied whole; or else here. */
function renderEmpty({ headerLines = 0, configFile }: WatchModel, style: Style, width: number): string[] {
  if (headerLines === 0) return renderWelcome({ style, width, configFile, isWatching: true })
  return [style.dim('  No servers yet: what you add shows up here at once.')]
}

function limitLines(lines: readonly string[], room: number, style: Style): readonly string[] {
  if (lines.length <= room) return lines
  if (room < LEAST_LINES) return []
  return [...lines.slice(0, room - 1), style.dim(`  … ${lines.length - room + 1} more`)]
}

function renderProblem(problem: string | undefined, style: Style, width: number): string[] {
  if (problem === undefined) return []
  const lines = problem.split('\n').flatMap((line) => wrapText(toSafeLine(line), width - 4))
  return [
    '',
    `  ${style.bold(style.red('The configuration is not applied'))} ${style.dim('(the servers go on with the old one)')}`,
    ...lines.slice(0, MAX_PROBLEM_LINES).map((line) => `  ${style.red(line)}`),
  ]
}

function renderEvents(events: readonly WatchEvent[], most: number, style: Style): string[] {
  if (most < 1 || events.length === 0) return []
  return ['', ...events.slice(-most).map(({ time, text }) => style.dim(`  ${formatClock(time)}  ${toSafeLine(text)}`))]
}

function renderKeys(model: WatchModel, style: Style): string {
  const { servers, ending, quit = 'quit' } = model
  if (ending !== undefined) return `  ${style.yellow(ending)}`
  const keys =
    servers.length === 0
      ? [['q', quit]]
      : [
          ['↑↓', 'select'],
          ['r', 'restart'],
          ['q', quit],
        ]
  const told = keys.map(([key, what]) => `${style.bold(key ?? '')} ${style.dim(what ?? '')}`).join('   ')
  return servers.length === 0 ? `  ${told}` : `  ${told}   ${style.dim(findAddress(model) ?? model.configFile)}`
}

/** Where agents connect, once the lines above that say so may have left the screen. */
function findAddress({ daemon, headerLines = 0 }: WatchModel): string | undefined {
  const http = headerLines > 0 ? (daemon?.daemon.http ?? null) : null
  return http !== null && 'url' in http ? formatAddress(http.url) : undefined
}
