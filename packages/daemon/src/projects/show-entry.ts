/** What a server of a project would run, as a person is shown it before: in full, hidden characters written out, secrets masked. */
import { judgeName, showHidden } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { MASK, maskArguments, maskText } from '@switchboard/telemetry'

const MAX_TEXT = 2_000
/** Names where the secret comes from, and holds none: `Bearer ${TOKEN}`. */
const REFERENCE = /^(?:[A-Za-z]+ )?\$\{\w+\}$/
const SHOWN_BY_NAME = new Set(['command', 'args', 'env', 'headers', 'url', 'httpUrl', 'serverUrl', 'type'])

/** A line each: `runs npx -y some-server`, `env API_URL=…`. */
export function showEntry(entry: JsonObject): string[] {
  const { command, args } = entry
  const url = [entry.url, entry.httpUrl, entry.serverUrl].find((candidate) => candidate !== undefined)
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => word !== undefined).map(toText)
  return [
    ...(command === undefined ? [] : [`runs ${maskArguments(words).map(quote).join(' ')}`]),
    ...(url === undefined ? [] : [`connects to ${maskText(toText(url))}`]),
    ...showValues('env', entry.env),
    ...showValues('header', entry.headers),
    ...Object.entries(entry)
      .filter(([key]) => !SHOWN_BY_NAME.has(key))
      .map(([key, value]) => `${key} ${maskText(toText(value))}`),
    ...showVariables(entry),
  ].map(toShown)
}

/** Those of the machine that it would get: a stranger's server may ask for any. */
function showVariables(entry: JsonObject): string[] {
  const names = [...JSON.stringify(entry).matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? [])
  const own = [...new Set(names)].filter((name) => name !== 'workspace')
  return own.length === 0 ? [] : [`uses your variables ${own.join(', ')}`]
}

function showValues(label: string, values: unknown): string[] {
  if (values === undefined) return []
  if (!isJsonObject(values)) return [`${label} ${maskText(toText(values))}`]
  return Object.entries(values).map(([name, value]) => {
    const text = toText(value)
    const isSecret = judgeName(name) !== 'plain' && !REFERENCE.test(text)
    return `${label} ${name}=${isSecret ? MASK : maskText(text)}`
  })
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** So that one argument with a blank is not taken for two. */
function quote(word: string): string {
  return /^[\w@%+=:,./${}~-]+$/.test(word) ? word : JSON.stringify(word)
}

function toShown(line: string): string {
  const shown = showHidden(line).replace(/[\n\r\t]/g, (sign) => JSON.stringify(sign).slice(1, -1))
  return shown.length <= MAX_TEXT ? shown : `${shown.slice(0, MAX_TEXT)}… (${shown.length - MAX_TEXT} more characters)`
}
