/** What of an entry is pinned when it is trusted: all of it, however it is laid out, and what its file of variables sets. */
import { createHash } from 'node:crypto'
import { judgeName } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export function digestEntry(entry: JsonObject): string {
  return hash(sortKeys(entry))
}

/**
 * A variable such as NODE_OPTIONS decides what runs as much as a command does. A secret may change: it is told by its name, and
 * whoever replaces a token is not asked again.
 */
export function digestVariables(values: Readonly<Record<string, string>>): string {
  const pinned = Object.keys(values)
    .toSorted()
    .map((name) => [name, judgeName(name) === 'plain' ? (values[name] ?? '') : null])
  return hash(pinned)
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isJsonObject(value)) return value
  return Object.keys(value)
    .toSorted()
    .map((key) => [key, sortKeys(value[key])])
}
