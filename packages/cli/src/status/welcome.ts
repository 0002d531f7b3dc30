/** The first screen of somebody who has no servers yet. */
import type { Style } from '../terminal/style.ts'
import { wrapText } from '../terminal/text-width.ts'

/** Behind the name of the program. */
export const EXAMPLE_ARGUMENTS = 'server add everything -- npx -y @modelcontextprotocol/server-everything'
export const EXAMPLE_COMMAND = `switchboard ${EXAMPLE_ARGUMENTS}`

export interface WelcomeOptions {
  readonly style: Style
  readonly width: number
  /** As a person reads it. */
  readonly configFile: string
  /** This screen stays and shows the first server when it is there. */
  readonly isWatching: boolean
}

export function renderWelcome({ style, width, configFile, isWatching }: WelcomeOptions): string[] {
  const room = Math.min(width, 96) - 4
  const what =
    'One place that runs, shares, supervises and observes every MCP server your coding agents use: each server once, restarted when it dies, its output kept.'
  return [
    ...wrapText(what, room).map((line) => `  ${line}`),
    '',
    `  ${style.bold('No servers are configured yet.')} ${isWatching ? 'Add one, in another terminal:' : 'Add one:'}`,
    '',
    // The command must be copied as it is, so it is broken where a shell takes it.
    ...breakCommand(EXAMPLE_COMMAND, room - 2).map((line) => `    ${style.cyan(line)}`),
    '',
    `  Or put the "mcpServers" that you have into ${configFile}`,
    ...(isWatching ? [`  ${style.dim('The file is watched: what you add shows up here at once.')}`] : []),
  ]
}

function breakCommand(command: string, width: number): string[] {
  if (command.length <= width) return [command]
  const at = command.indexOf(' -- ')
  return [`${command.slice(0, at + 3)} \\`, `  ${command.slice(at + 4)}`]
}
