/**
 * The servers in a text that somebody pasted: the list of any client (JSON with comments, or TOML), a part of one, one entry alone, or a
 * `server.json` of a registry. Around it there may be the fence of a README.
 */
import { readJsonText } from '@switchboard/config/text'
import type { ServerInput } from '@switchboard/pool'
import { readStarted } from '@switchboard/pool/config'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { readTomlText } from '../clients/list/toml-text.ts'
import { takeEntry } from '../init/take-entry.ts'
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
  const registry = registryOf(value)
  if (registry !== undefined) return [readRegistryServer(registry, options)]
  const listed = findServers(value)
  if (listed.length === 0) {
    throw refuse('There is no server in it: nothing that has a "command" or a "url".')
  }
  return listed.map(([name, entry]) => readEntry(name, entry, options))
}

function registryOf(value: JsonObject): JsonObject | undefined {
  const registry = isJsonObject(value.server) ? value.server : value
  return isRegistryServer(registry) ? registry : undefined
}

/** A README says how it is installed, then shows one server in the words of many clients: the first of them is as good as any. */
async function parseSnippet(text: string): Promise<JsonObject> {
  const [first = text, ...more] = listBlocks(text)
  if (more.length === 0) return readValue(await parseBlock(first))
  const blocks = await Promise.all([first, ...more].map(parseBlock))
  const values = blocks.flatMap((block) => (block.problem === undefined ? [block.value] : []))
  // What only looks like a server comes after whatever is listed as one.
  const found = values.find(hasList) ?? values.find((value) => findServers(value).length > 0)
  if (found !== undefined) return found
  throw refuse(`There is no server in its ${blocks.length} blocks of code: nothing that has a "command" or a "url".`)
}

type Block = { readonly value: JsonObject; readonly problem?: undefined } | { readonly problem: string }

async function parseBlock(text: string): Promise<Block> {
  const plain = text.trim()
  const candidate = /^["']/.test(plain) ? `{${plain}}` : plain
  const reading = readJsonText(candidate)
  if (reading.problem === undefined && isJsonObject(reading.value)) return { value: reading.value }
  if (reading.problem !== undefined && /^[{"']/.test(candidate)) {
    return { problem: `It is not JSON: line ${reading.line}: ${reading.problem}.` }
  }
  const toml = await readTomlText(plain)
  if (toml.problem === undefined && Object.keys(toml.value).length > 0) return { value: toml.value }
  return { problem: 'It is neither JSON nor TOML.' }
}

function readValue(block: Block): JsonObject {
  if (block.problem !== undefined) throw refuse(block.problem)
  return block.value
}

const FENCE = /^[ \t>]*(`{3,}|~{3,})/

/** The blocks of code of a text with fences, as in a README; none: there is no fence. */
function listBlocks(text: string): string[] {
  const blocks: string[] = []
  let open: { readonly fence: string; readonly lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const [, fence] = FENCE.exec(line) ?? []
    if (open === undefined) {
      if (fence !== undefined) open = { fence, lines: [] }
    } else if (fence?.startsWith(open.fence) === true) {
      blocks.push(open.lines.join('\n'))
      open = undefined
    } else open.lines.push(line)
  }
  return blocks
}

function refuse(problem: string): SwitchboardError {
  return new SwitchboardError('invalid_arguments', problem, {
    hint: 'Paste what a client has in its list of servers, such as {"mcpServers": {"name": {"command": "npx", "args": ["-y", "package"]}}}.',
  })
}

function findList(value: JsonObject): JsonObject | undefined {
  const lists = LISTS.map((path) => path.reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), value))
  return lists.find(isJsonObject)
}

/** Whether servers stand where a client or a registry has them. */
function hasList(value: JsonObject): boolean {
  return registryOf(value) !== undefined || (findList(value) !== undefined && findServers(value).length > 0)
}

function findServers(value: JsonObject): [string | undefined, JsonObject][] {
  if (readStarted(value) !== undefined) return [[typeof value.name === 'string' ? value.name : undefined, value]]
  const list = findList(value) ?? value
  return Object.entries(list).flatMap(([name, entry]): [string, JsonObject][] =>
    isJsonObject(entry) && readStarted(entry) !== undefined ? [[name, entry]] : [],
  )
}

function readEntry(name: string | undefined, entry: JsonObject, { userHome }: SnippetOptions): PastedServer {
  const pasted = { client: 'pasted', project: undefined, source: entry } as const
  const translation = takeEntry(pasted, { userHome, isRemoteTaken: true })
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
