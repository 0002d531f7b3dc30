/**
 * The servers in a text that somebody pasted: the list of any client (JSON with comments, or TOML), a part of one, one entry alone, or a
 * `server.json` of a registry. Around it there may be the fence of a README.
 */
import { readJsonText } from '@switchboard/config/text'
import type { ServerInput } from '@switchboard/pool'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { readTomlText } from '../clients/list/toml-text.ts'
import { readStarted } from '../doctor/static/read-static-entries.ts'
import { translateEntry } from '../init/translate-entry.ts'
import { isRegistryServer, type RegistryChoice, readRegistryServer } from './read-registry-server.ts'
import { suggestName } from './suggest-name.ts'

export interface PastedServer {
  readonly name: string
  readonly input: ServerInput
  /** What is to be known of it: what is still to be set, and what was left out. */
  readonly notes: readonly string[]
}

export interface SnippetOptions extends RegistryChoice {
  readonly userHome: string
}

/** Where clients keep their lists. */
const LISTS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['mcp', 'servers'],
  ['mcp.servers'],
  ['servers'],
  ['context_servers'],
  ['mcp_servers'],
]

export async function readSnippet(text: string, options: SnippetOptions): Promise<PastedServer[]> {
  const value = await parseSnippet(text)
  const registry = isJsonObject(value.server) ? value.server : value
  if (isRegistryServer(registry)) return [readRegistryServer(registry, options)]
  const listed = findServers(value)
  if (listed.length === 0) {
    throw refuse('There is no server in it: nothing that has a "command" or a "url".')
  }
  return listed.map(([name, entry]) => readEntry(name, entry, options))
}

async function parseSnippet(text: string): Promise<JsonObject> {
  const plain = withoutFence(text).trim()
  const candidates = /^["']/.test(plain) ? [`{${plain}}`] : [plain]
  for (const candidate of candidates) {
    const reading = readJsonText(candidate)
    if (reading.problem === undefined && isJsonObject(reading.value)) return reading.value
    if (reading.problem !== undefined && /^[{"']/.test(candidate)) {
      throw refuse(`It is not JSON: line ${reading.line}: ${reading.problem}.`)
    }
  }
  const toml = await readTomlText(plain)
  if (toml.problem === undefined && Object.keys(toml.value).length > 0) return toml.value
  throw refuse('It is neither JSON nor TOML.')
}

/** Of a README the first block of code. */
function withoutFence(text: string): string {
  const start = text.indexOf('```')
  const line = start === -1 ? -1 : text.indexOf('\n', start)
  const end = line === -1 ? -1 : text.indexOf('```', line)
  return end === -1 ? text : text.slice(line + 1, end)
}

function refuse(problem: string): SwitchboardError {
  return new SwitchboardError('invalid_arguments', problem, {
    hint: 'Paste what a client has in its list of servers, such as {"mcpServers": {"name": {"command": "npx", "args": ["-y", "package"]}}}.',
  })
}

function findServers(value: JsonObject): [string | undefined, JsonObject][] {
  if (readStarted(value) !== undefined) return [[typeof value.name === 'string' ? value.name : undefined, value]]
  const lists = LISTS.map((path) => path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), value))
  const list = lists.find(isJsonObject) ?? value
  return Object.entries(list).flatMap(([name, entry]): [string, JsonObject][] =>
    isJsonObject(entry) && readStarted(entry) !== undefined ? [[name, entry]] : [],
  )
}

function readEntry(name: string | undefined, entry: JsonObject, { userHome }: SnippetOptions): PastedServer {
  const started = readStarted(entry) ?? { command: undefined, args: [], url: undefined }
  const pasted = { client: 'pasted', project: undefined, source: entry, ...started } as const
  const translation = translateEntry(pasted, { userHome, isRemoteTaken: true })
  if (translation.reason !== undefined) {
    throw new SwitchboardError(
      'invalid_arguments',
      `${name ?? 'It'} cannot be added as it is: ${translation.reason}.`,
      {
        hint: 'Give it by its command behind a "--", or with --url.',
      },
    )
  }
  const { input, dropped } = translation
  const notes = [
    ...(dropped.length === 0 ? [] : [`${dropped.join(', ')} mean nothing here, and were left out`]),
    ...listInputs(entry).map((id) => `\${${id}} is still to be set where Switchboard is started`),
  ]
  return { name: suggestName(name ?? nameOf(input)), input, notes }
}

/** What an editor would have asked for. */
function listInputs(entry: JsonObject): string[] {
  const found = [...JSON.stringify(entry).matchAll(/\$\{input:([\w-]+)\}/g)]
  return [...new Set(found.map(([, id = '']) => id.toUpperCase().replace(/\W/g, '_')))]
}

/** Of what says nothing of its name: its package, its program or its host. */
export function nameOf({ command, args = [], url }: ServerInput): string {
  if (url !== undefined) return URL.canParse(url) ? nameOfHost(new URL(url).hostname) : 'server'
  const isRunner =
    /(?:^|[/\\])(?:npx|uvx|bunx|pnpm|yarn|docker|podman|node|python3?|deno|bun|uv|cmd|dnx)(?:\.\w+)?$/i.test(
      command ?? '',
    )
  const words = args.filter((word) => !/^-|^(?:run|dlx|exec|x|tool|\/c|npx)$/.test(word))
  const word = isRunner ? (words[0] ?? command) : command
  const [last = ''] = (word ?? '').split(/[/\\]/).slice(-1)
  return last
    .replace(/(?<=[^@])[@=:][\s\S]*/, '')
    .replace(/\.\w{1,4}$/, '')
    .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp)$/g, '')
}

function nameOfHost(host: string): string {
  const parts = host.split('.').filter((part) => !/^(?:www|mcp|api|com|org|net|dev|io|app|ai|co)$/.test(part))
  return parts.at(-1) ?? host
}
