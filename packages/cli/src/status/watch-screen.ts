/** One frame of `status --watch`: what is known in, lines that fit the terminal out. Pure. */
import type { BackendServer } from '../backend/backend.ts'
import { formatClock, formatCount, formatTokens } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { fitText, textWidth, wrapText } from '../terminal/text-width.ts'
import { VERSION } from '../version.ts'
import { summarizeStates } from './server-state.ts'
import { renderStatusTable } from './status-table.ts'
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
  readonly selected: number
  /** Newest last. */
  readonly events: readonly WatchEvent[]
  /** Of the configuration as it is saved now; the old one goes on running. */
  readonly problem: string | undefined
  readonly configFile: string
  /** How it ends, in place of the keys. */
  readonly ending: string | undefined
}

export interface ScreenSize {
  readonly width: number
  readonly height: number
}

const MAX_EVENTS = 6
const MAX_PROBLEM_LINES = 6

export function renderWatchScreen(model: WatchModel, style: Style, size: ScreenSize): string[] {
  // The last column stays free: some terminals wrap a line that fills it.
  const width = Math.max(20, size.width - 1)
  const head = [...renderTitle(model, style, width), '']
  const body =
    model.servers.length === 0
      ? renderWelcome({ style, width, configFile: model.configFile, isWatching: true })
      : renderStatusTable(model.servers, {
          style,
          width,
          selected: model.selected,
          tokens: model.tokensByServer,
          isLive: true,
        })
  const problem = renderProblem(model.problem, style, width)
  const foot = ['', renderKeys(model, style)]
  const room = Math.max(1, size.height - 1 - head.length - foot.length - problem.length)
  const shown = limitBody(body, room, style)
  const events = renderEvents(model.events, Math.min(MAX_EVENTS, room - shown.length - 1), style)
  return [...head, ...shown, ...problem, ...events, ...foot].map((line) => fitText(line, width))
}

function renderTitle({ servers, tools, tokens }: WatchModel, style: Style, width: number): string[] {
  const name = `${style.bold('Switchboard')} ${style.dim(VERSION)}`
  if (servers.length === 0) return [name]
  const summary = `${formatCount(tools, 'tool')}, about ${formatTokens(tokens)} tokens · ${summarizeStates(servers)}`
  const gap = width - textWidth(name) - textWidth(summary)
  return gap < 2 ? [name, style.dim(summary)] : [`${name}${' '.repeat(gap)}${style.dim(summary)}`]
}

function limitBody(body: readonly string[], room: number, style: Style): readonly string[] {
  if (body.length <= room) return body
  return [...body.slice(0, room - 1), style.dim(`  … ${body.length - room + 1} more lines; make the window taller`)]
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

function renderKeys({ servers, configFile, ending }: WatchModel, style: Style): string {
  if (ending !== undefined) return `  ${style.yellow(ending)}`
  const keys =
    servers.length === 0
      ? [['q', 'quit']]
      : [
          ['↑↓', 'select'],
          ['r', 'restart'],
          ['q', 'quit'],
        ]
  const told = keys.map(([key, what]) => `${style.bold(key ?? '')} ${style.dim(what ?? '')}`).join('   ')
  return servers.length === 0 ? `  ${told}` : `  ${told}   ${style.dim(configFile)}`
}
