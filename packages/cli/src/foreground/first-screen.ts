/**
 * What stands above the live view of `up --foreground`, and what a newcomer sees first: where it listens, where its files
 * are, and how to connect the agents that are on this machine. Pure. Commands and addresses are never cut: they are there
 * to be copied, and a terminal breaks a long line without breaking the copy.
 */
import type { HttpReport } from '../backend/daemon-report.ts'
import type { FoundClient, HowToConnect } from '../clients/find-clients.ts'
import { VERSION } from '../program/program-version.ts'
import { formatAddress, OPEN_TO_ALL } from '../status/daemon-lines.ts'
import { EXAMPLE_ARGUMENTS } from '../status/welcome.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'
import { padText, textWidth } from '../terminal/text-width.ts'

export interface FirstScreen {
  readonly style: Style
  readonly http: HttpReport
  /** What clients of that address have to send; absent: nothing. */
  readonly header?: string | undefined
  /** As a person reads them. */
  readonly home: string
  readonly configFile: string
  /** On this machine. */
  readonly clients: readonly Pick<FoundClient, 'name' | 'how'>[]
  /** The command that an agent starts; for clients that are not found. */
  readonly front: string
  /** Of a path, for a person. */
  readonly shorten?: (path: string) => string
  /** How the command is called from anywhere on this machine. */
  readonly program: string
  readonly hasServers: boolean
  /** What clients have that could be taken over: "Cursor has 2 servers". */
  readonly takeable?: string | undefined
  /** Somebody else's daemon is shown, which goes on afterwards. */
  readonly attachedTo?: { readonly pid: number } | undefined
}

export function renderFirstScreen(screen: FirstScreen): string[] {
  const { style, attachedTo } = screen
  const title = `${style.bold('Switchboard')} ${style.dim(VERSION)}`
  const state =
    attachedTo === undefined
      ? `${style.green('●')} running; Ctrl-C stops it and everything it started`
      : `${style.green('●')} a daemon runs already (pid ${attachedTo.pid}): this shows it, Ctrl-C leaves it running`
  const invitation = screen.hasServers ? [] : [...renderInvitation(screen), '']
  return [`${title}  ${state}`, '', ...renderFacts(screen), '', ...invitation, ...renderClients(screen), '']
}

function renderInvitation({ style, program, configFile, takeable }: FirstScreen): string[] {
  const offer =
    takeable === undefined
      ? []
      : [
          `${style.bold(takeable)}: this takes them over, after it has shown you how`,
          `  ${style.cyan(`${program} init`)}`,
        ]
  return [
    ...offer,
    `${style.bold('Add your first server')}, in another terminal`,
    `  ${style.cyan(`${program} ${EXAMPLE_ARGUMENTS}`)}`,
    `  or put the "mcpServers" that you have into ${configFile}`,
  ]
}

function renderFacts({ style, http, header, home, configFile }: FirstScreen): string[] {
  const facts: [string, string][] = []
  if (http !== null && 'url' in http) facts.push(['address', style.bold(formatAddress(http.url))])
  if (header !== undefined) facts.push(['header', style.bold(header)])
  if (http !== null && 'url' in http && http.auth === 'none') facts.push(['warning', style.yellow(OPEN_TO_ALL)])
  if (http !== null && 'error' in http)
    facts.push(['address', style.yellow(`none: ${toSafeLine(http.error)} ${toSafeLine(http.hint)}`)])
  facts.push(['servers', `${configFile} ${style.dim('(applied as you save it)')}`])
  // Where the rest is, only when the file does not tell: on a small terminal every line counts.
  if (!configFile.startsWith(home)) facts.push(['home', home])
  return facts.map(([name, value]) => `  ${style.dim(padText(name, 8))} ${value}`)
}

function renderClients({ style, http, header, clients, front, shorten = (path) => path }: FirstScreen): string[] {
  const address = header === undefined ? 'the address above, or ' : 'the address and the header above, or '
  const instead = http !== null && 'url' in http ? address : ''
  const rows: [string, string[]][] = [
    ...clients.map(({ name, how }): [string, string[]] => [name, describeHow(how, style, shorten)]),
    [clients.length === 0 ? 'any agent' : 'others', [`${instead}the command ${style.cyan(front)}`]],
  ]
  const widest = Math.max(...rows.map(([name]) => textWidth(name)))
  const lines = rows.flatMap(([name, [first = '', ...more]]) => [
    `  ${padText(name, widest)}  ${first}`,
    ...more.map((line) => `  ${' '.repeat(widest)}  ${line}`),
  ])
  return [style.bold('Connect your agents'), ...lines]
}

function describeHow(how: HowToConnect, style: Style, shorten: (path: string) => string): string[] {
  if ('command' in how) return [style.cyan(how.command)]
  if ('url' in how) {
    const header = how.header === undefined ? [] : [`with the header ${style.cyan(how.header)}`]
    return [`the URL ${style.cyan(how.url)}`, ...header]
  }
  return [`add to ${shorten(how.file)}:`, ...toCompact(how.snippet).map((line) => style.cyan(line))]
}

/** JSON on one line; of what is no JSON every line. */
function toCompact(snippet: string): string[] {
  try {
    return [JSON.stringify(JSON.parse(snippet))]
  } catch {
    return snippet.split('\n')
  }
}
