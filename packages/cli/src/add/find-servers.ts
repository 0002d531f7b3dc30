/** What `server add` is to add: a command, an address, a pasted snippet, or a file that holds one. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { ForeignFileError, readForeignBytes } from '@switchboard/base'
import type { ServerInput } from '@switchboard/pool'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { applyOptions, readEntry, readPairs } from '../config/read-entry.ts'
import type { CommandContext } from '../context/command-context.ts'
import { nameOf, type PastedServer, readSnippet } from './read-snippet.ts'
import { REGISTRY_WAYS } from './registry-ways.ts'
import { suggestName } from './suggest-name.ts'

const command = 'server add'
/** Far more than anybody pastes. */
const MAX_BYTES = 4 * 1024 * 1024

export async function findServers({ io, home }: CommandContext, input: CommandInput): Promise<PastedServer[]> {
  const { options, positionals, rest } = input
  const { cwd } = io
  const { name, source } = divide(positionals, cwd)
  if (source === undefined || rest.length > 0 || options.text('url') !== undefined) {
    if (source !== undefined)
      throw new UsageError('A server is given once: by a command, an address or a snippet.', { command })
    return [named(name, readEntry(input, cwd), options, cwd)]
  }
  if (isAddress(source)) return [named(name, { url: source }, options, cwd)]
  const way = REGISTRY_WAYS.find((one) => one === options.text('way'))
  const inputs = new Map(Object.entries(readPairs(options.list('input'), 'input', '=', 'name=value') ?? {}))
  const servers = await readSnippet(await readSource(source, io.stdin, cwd), { way, inputs, userHome: home.userHome })
  const [only] = servers
  if (servers.length > 1 || only === undefined) {
    if (name === undefined) return servers
    throw new UsageError(`There are ${servers.length} servers in it, and "${name}" is a name for one.`, {
      command,
      hint: 'Leave the name out.',
    })
  }
  return [{ ...only, ...named(name ?? only.name, only.input, options, cwd), notes: only.notes }]
}

function named(
  name: string | undefined,
  entry: ServerInput,
  options: CommandInput['options'],
  cwd: string,
): PastedServer {
  return { name: name ?? suggestName(nameOf(entry)), input: applyOptions(entry, options, cwd), notes: [] }
}

/** One word is a name, unless it can only be a source. */
function divide(
  [first, second]: readonly string[],
  cwd: string,
): { name: string | undefined; source: string | undefined } {
  if (second !== undefined) {
    if (isSource(second, cwd)) return { name: first, source: second }
    throw new UsageError(`"${command}" does not know what to do with "${second}".`, {
      command,
      hint: 'The server\'s command goes behind a "--": -- <command> [args…]. An address, a snippet or a file needs none.',
    })
  }
  return first !== undefined && isSource(first, cwd)
    ? { name: undefined, source: first }
    : { name: first, source: undefined }
}

function isSource(word: string, cwd: string): boolean {
  return word === '-' || isAddress(word) || /^\s*[{["`]/.test(word) || word.includes('\n') || isFile(word, cwd)
}

function isAddress(word: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(word)
}

/** A name may be that of a folder; a snippet's file says by its ending what it is. */
function isFile(word: string, cwd: string): boolean {
  if (!/\.(?:jsonc?|toml|md|txt)$/i.test(word)) return false
  return statSync(resolve(cwd, word), { throwIfNoEntry: false }) !== undefined || /[/\\]/.test(word)
}

async function readSource(source: string, stdin: CommandContext['io']['stdin'], cwd: string): Promise<string> {
  if (source === '-') return readStream(stdin as NodeJS.ReadableStream)
  if (!isFile(source, cwd)) return source
  const file = resolve(cwd, source)
  try {
    return (await readForeignBytes(file, { maxBytes: MAX_BYTES })).toString('utf8')
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw new UsageError(`${file} ${error.reason}.`, { command })
  }
}
