/** A server's entry from the options of `server add`. What the entry may hold is checked by the configuration itself. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ServerInput } from '@switchboard/pool'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'

const ADD = 'server add'
const command = ADD

/** A relative `cwd` is meant from where the command is typed, not from where the file lies. */
export function readEntry({ options, rest }: CommandInput, cwd: string): ServerInput {
  const url = options.text('url')
  const [program, ...args] = rest
  if (program === undefined && url === undefined) {
    throw new UsageError('The server needs a command behind a "--", or a --url.', {
      command,
      hint: 'For example: switchboard server add everything -- npx -y @modelcontextprotocol/server-everything',
    })
  }
  if (program !== undefined && url !== undefined) {
    throw new UsageError('A server has a command or a --url, not both.', { command })
  }
  throwOnQuotedCommand(rest, cwd)
  const entry: JsonObject = {}
  put(entry, 'command', options.text('cwd') === undefined ? fromHere(program, cwd) : program)
  put(entry, 'args', args.length === 0 ? undefined : args)
  put(entry, 'url', url)
  return applyOptions(entry, options, cwd)
}

/** The same for an entry that comes from elsewhere: what is said on the command line holds. */
export function applyOptions(source: ServerInput, options: CommandInput['options'], cwd: string): ServerInput {
  const { command, args, url, env, headers, ...more }: JsonObject = { ...source }
  const entry: JsonObject = {}
  const directory = options.text('cwd')
  put(entry, 'type', options.text('type'))
  put(entry, 'command', command)
  put(entry, 'args', args)
  put(entry, 'cwd', directory === undefined ? undefined : resolve(cwd, directory))
  put(entry, 'env', merge(env, readPairs(options.list('env'), 'env', '=', 'NAME=value')))
  put(entry, 'url', url)
  put(entry, 'headers', merge(headers, readPairs(options.list('header'), 'header', ':', 'Name: value')))
  for (const [key, value] of Object.entries(more)) if (entry[key] === undefined) put(entry, key, value)
  for (const pair of options.list('set')) applySetting(entry, pair)
  // Unknown keys and wrong values are refused when the file is checked, with the nearest right one.
  return entry as ServerInput
}

function merge(known: unknown, given: Record<string, string> | undefined): unknown {
  return isJsonObject(known) ? { ...known, ...given } : given
}

/** `./server` is meant from where the command is typed; the server runs elsewhere. */
function fromHere(program: string | undefined, cwd: string): string | undefined {
  if (program === undefined || !/^\.{1,2}[/\\]/.test(program)) return program
  return resolve(cwd, program)
}

/** `-- "npx -y x"`: the shell hands it over as the name of one program. */
function throwOnQuotedCommand(rest: readonly string[], cwd: string): void {
  const [program = '', more] = rest
  if (more !== undefined || !/\S\s+\S/.test(program) || existsSync(resolve(cwd, program))) return
  throw new UsageError(`No program is named "${program}": a command and its arguments are words of their own.`, {
    command,
    hint: `Without the quotes: -- ${program.trim()}`,
  })
}

function put(entry: JsonObject, key: string, value: unknown): void {
  if (value !== undefined) entry[key] = value
}

export function readPairs(
  pairs: readonly string[],
  option: string,
  separator: string,
  form: string,
): Record<string, string> | undefined {
  if (pairs.length === 0) return undefined
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf(separator)
    // The value may be a secret: it is not repeated.
    if (at < 1) throw new UsageError(`A --${option} is not of the form ${form}.`, { command })
    return [pair.slice(0, at).trim(), separator === ':' ? pair.slice(at + 1).trim() : pair.slice(at + 1)]
  })
  return Object.fromEntries(entries)
}

/** `tools.prefix=false`: the key may reach into an object, the value is JSON when it is JSON and else text. */
export function applySetting(entry: JsonObject, pair: string, command = ADD): void {
  const at = pair.indexOf('=')
  if (at < 1) throw new UsageError(`--set "${pair}" is not of the form key=value.`, { command })
  const path = pair.slice(0, at).split('.')
  const last = path.pop() ?? ''
  let target = entry
  for (const name of path) {
    const inner = Object.hasOwn(target, name) ? target[name] : undefined
    const child = isJsonObject(inner) ? inner : {}
    define(target, name, child)
    target = child
  }
  const value = readSetting(pair.slice(at + 1))
  if (typeof value === 'number' && [last, path.at(-1) ?? ''].some((key) => DURATIONS.has(key))) {
    throw new UsageError(`--set ${pair} has no unit.`, { command, hint: `Write ${pair}s for seconds, or ${pair}ms.` })
  }
  define(target, last, value)
}

/** A file may count them in milliseconds; at a terminal nobody would think of that. */
const DURATIONS: ReadonlySet<string> = new Set(['timeout', 'initTimeout', 'idleTimeout', 'restartWait', 'toolTimeouts'])

/** `__proto__` is a key like any other, and refused like any other. */
function define(target: JsonObject, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}

function readSetting(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
