/**
 * Changes entries in the text of a client's list of servers, JSON or TOML, and nothing else of it. What comes out is parsed again
 * and must hold just what was meant: a text that the edit does not fit (a key that is there twice, a list in place of an
 * object) is refused, and stays as it is. Pure.
 */
import { isDeepStrictEqual } from 'node:util'
import { readJsonText, removeProperty, setProperty } from '@switchboard/config/text'
import { isJsonObject } from '@switchboard/protocol'
import type { ServerList } from '../client-places.ts'
import { addTomlTable, readTomlText, removeTomlTable } from './toml-text.ts'

export interface ListEntry {
  /** The keys down to it; the last is its name. */
  readonly path: readonly string[]
  readonly value: unknown
}

export interface ListEdit {
  readonly remove?: readonly (readonly string[])[]
  readonly add?: readonly ListEntry[]
}

export type EditedList = { readonly text: string; readonly problem?: undefined } | { readonly problem: string }

type Format = ServerList['format']

/** Undefined: there is no file yet. */
export async function editList(text: string | undefined, format: Format, edit: ListEdit): Promise<EditedList> {
  const { remove = [], add = [] } = edit
  const start = text === undefined || text.trim().replace(/^\uFEFF/, '') === '' ? emptyText(text, format) : text
  const before = await readList(start, format)
  if (before.problem !== undefined) return before
  if (!isJsonObject(before.value)) return { problem: 'it holds no object' }
  const expected = structuredClone(before.value)
  for (const path of remove) removeAt(expected, path)
  for (const { path, value } of add) {
    if (!setAt(expected, path, value)) return { problem: `"${path.slice(0, -1).join('.')}" is no object` }
  }
  let after = start
  for (const path of remove) after = format === 'json' ? removeProperty(after, path) : removeTomlTable(after, path)
  for (const { path, value } of add) {
    after = format === 'json' ? setProperty(after, path, value) : await replaceTable(after, path, value)
  }
  const found = await readList(after, format)
  if (found.problem !== undefined || !isSameValue(found.value, expected)) {
    return { problem: 'it is written in a way that cannot be edited safely' }
  }
  return { text: after }
}

export type ListReading = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string }

/** The whole text as a value. An empty one holds nothing. */
export async function readList(text: string, format: Format): Promise<ListReading> {
  if (format === 'toml') return readTomlText(text)
  if (text.trim().replace(/^\uFEFF/, '') === '') return { value: {} }
  const reading = readJsonText(text)
  return reading.problem === undefined ? reading : { problem: `line ${reading.line}: ${reading.problem}` }
}

/** Undefined: there is nothing at that path. */
export function findInList(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), value)
}

function emptyText(text: string | undefined, format: Format): string {
  const mark = text?.startsWith('\uFEFF') === true ? '\uFEFF' : ''
  return format === 'json' ? `${mark}{}\n` : mark
}

async function replaceTable(text: string, path: readonly string[], value: unknown): Promise<string> {
  return addTomlTable(removeTomlTable(text, path), path, value)
}

function removeAt(value: Record<string, unknown>, path: readonly string[]): void {
  const parent = findInList(value, path.slice(0, -1))
  if (isJsonObject(parent)) delete parent[path.at(-1) ?? '']
}

/** False: something else is on the way. */
function setAt(value: Record<string, unknown>, path: readonly string[], content: unknown): boolean {
  let at = value
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, key) ? at[key] : undefined
    if (inner !== undefined && !isJsonObject(inner)) return false
    const child = inner ?? {}
    define(at, key, child)
    at = child
  }
  define(at, path.at(-1) ?? '', content)
  return true
}

/** `__proto__` is a key like any other. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
}

/** Whether two values of such lists say the same, whoever has parsed them. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toPlain(one), toPlain(other))
}

/** Parsers of TOML make objects of a kind of their own, and an empty object is as good as none. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isJsonObject(value) || value instanceof Date) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, toPlain(item)])
  return Object.fromEntries(entries.filter(([, item]) => !isJsonObject(item) || Object.keys(item).length > 0))
}
