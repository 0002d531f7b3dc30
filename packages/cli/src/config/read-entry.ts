/** A server's entry from the options of `server add`. What the entry may hold is checked by the configuration itself. */
import { resolve } from 'node:path'
import type { ServerInput } from '@switchboard/pool'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../usage-error.ts'

const command = 'server add'

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
  const entry: JsonObject = {}
  put(entry, 'type', options.text('type'))
  put(entry, 'command', program)
  put(entry, 'args', args.length === 0 ? undefined : args)
  const directory = options.text('cwd')
  put(entry, 'cwd', directory === undefined ? undefined : resolve(cwd, directory))
  put(entry, 'env', readPairs(options.list('env'), 'env', '=', 'NAME=value'))
  put(entry, 'url', url)
  put(entry, 'headers', readPairs(options.list('header'), 'header', ':', 'Name: value'))
  for (const pair of options.list('set')) applySetting(entry, pair)
  // Unknown keys and wrong values are refused when the file is checked, with the nearest right one.
  return entry as ServerInput
}

function put(entry: JsonObject, key: string, value: unknown): void {
  if (value !== undefined) entry[key] = value
}

function readPairs(
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
function applySetting(entry: JsonObject, pair: string): void {
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
  define(target, last, readSetting(pair.slice(at + 1)))
}

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
