/**
 * Which agents are on this machine, and how each is connected. Only looks whether files exist: nothing is run and nothing
 * is written. VS Code is never offered a static entry (its extension registers the front itself, window by window): until
 * it is there, its way is the HTTP address.
 */
import { existsSync } from 'node:fs'
import { type ClientEntry, createClientEntry, ENTRY_NAME } from './client-entry.ts'
import { type ClientId, type ClientPlaces, listClientPlaces, type Machine, pathOf } from './client-places.ts'
import { quoteCommand } from './quote-command.ts'

export type HowToConnect =
  /** A line for a terminal. */
  | { readonly command: string }
  /** What to add to which file. */
  | { readonly file: string; readonly snippet: string }
  /** An address to give to the client, and the header that it has to send, if any. */
  | { readonly url: string; readonly header?: string }

export interface FoundClient {
  readonly id: ClientId
  readonly name: string
  /** The file, folder or program by which it was found. */
  readonly sign: string
  readonly how: HowToConnect
}

export interface FindClientsOptions extends Machine {
  /** The absolute command line that starts the front. */
  readonly run: readonly string[]
  /** Of the HTTP endpoint, with its path; absent: clients that need it are left out. */
  readonly url?: string
  /** What clients of that endpoint have to send; absent: nothing. */
  readonly header?: string
  /** Default: the file system's answer. */
  readonly exists?: (path: string) => boolean
}

export function findClients(options: FindClientsOptions): FoundClient[] {
  const { exists = existsSync } = options
  return listClientPlaces(options).flatMap((places) => {
    const program = findProgram(places.programs, options, exists)
    const sign = program ?? places.signs.find((path) => exists(path))
    const how = sign === undefined ? undefined : explain(places, options, program !== undefined)
    return sign === undefined || how === undefined ? [] : [{ id: places.id, name: places.name, sign, how }]
  })
}

function explain(
  { id, user }: ClientPlaces,
  { platform, run, url, header }: FindClientsOptions,
  hasProgram: boolean,
): HowToConnect | undefined {
  const [list] = user
  const line = (...words: string[]): HowToConnect => ({ command: quoteCommand(words, platform) })
  const own = createClientEntry(id, run)
  const entry = (path: string): HowToConnect => {
    return { file: list?.file ?? '', snippet: JSON.stringify({ [path]: { [ENTRY_NAME]: own } }, null, 2) }
  }
  switch (id) {
    case 'vscode':
    case 'vscode-insiders':
      return url === undefined ? undefined : { url, ...(header === undefined ? {} : { header }) }
    case 'claude-code':
      return hasProgram
        ? line('claude', 'mcp', 'add', '--scope', 'user', ENTRY_NAME, '--', ...run)
        : entry('mcpServers')
    case 'codex':
      return hasProgram
        ? line('codex', 'mcp', 'add', ENTRY_NAME, '--', ...run)
        : { file: list?.file ?? '', snippet: toToml(own) }
    case 'gemini':
      return hasProgram ? line('gemini', 'mcp', 'add', '--scope', 'user', ENTRY_NAME, ...run) : entry('mcpServers')
    case 'zed':
      return entry('context_servers')
    case 'claude-desktop':
    case 'cursor':
    case 'windsurf':
      return entry('mcpServers')
  }
}

function toToml({ command, args }: ClientEntry): string {
  // A basic string of TOML escapes as JSON does.
  return `[mcp_servers.${ENTRY_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`
}

function findProgram(
  names: readonly string[],
  { env, platform }: Machine,
  exists: (path: string) => boolean,
): string | undefined {
  const { join, delimiter } = pathOf({ platform })
  const isWindows = platform === 'win32'
  const path = Object.entries(env).find(([name]) => name === 'PATH' || (isWindows && name.toUpperCase() === 'PATH'))
  const folders = (path?.[1] ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = isWindows ? (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').map((text) => text.toLowerCase()) : ['']
  for (const name of names) {
    for (const folder of folders) {
      for (const ending of endings) if (exists(join(folder, name + ending))) return join(folder, name + ending)
    }
  }
  return undefined
}
