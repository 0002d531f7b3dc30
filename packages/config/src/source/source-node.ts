/**
 * What the checker walks: one shape for a text (JSON with comments or YAML; every node knows its offset) and for a
 * plain object that a library user passed (no offsets). Children are made on demand, so only what the field table asks
 * for is visited.
 */
import type { KeyPath } from '../problems.ts'

export type SourceType = 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null' | 'other'

export interface SourceNode {
  readonly type: SourceType
  /** Of a scalar; undefined for objects, lists and what JSON cannot hold. */
  readonly scalar: string | number | boolean | null | undefined
  readonly offset: number | undefined
  entries(): readonly SourceEntry[]
  items(): readonly SourceNode[]
}

export interface SourceEntry {
  readonly key: string
  readonly keyOffset: number | undefined
  readonly node: SourceNode
}

/** What was written, as plain data; undefined for what JSON cannot hold. */
export function toPlainValue(node: SourceNode): unknown {
  if (node.type === 'object')
    return Object.fromEntries(node.entries().map(({ key, node }) => [key, toPlainValue(node)]))
  return node.type === 'list' ? node.items().map(toPlainValue) : node.scalar
}

/** The entry of an object, if it is there. */
export function findEntry(node: SourceNode | undefined, key: string): SourceEntry | undefined {
  return node?.entries().find((entry) => entry.key === key)
}

/** Where the value at a path stands in the text that it was read from, and its key. */
export type Locate = (path: KeyPath) => { readonly offset: number; readonly keyOffset: number } | undefined

/** A key whose value is undefined counts as absent, as it does for JSON. `locate`: of a value that came from a text. */
export function createNodeOfValue(value: unknown, locate?: Locate, path: KeyPath = []): SourceNode {
  const type = typeOf(value)
  return {
    type,
    scalar: isScalar(value) ? value : undefined,
    offset: locate?.(path)?.offset,
    entries: () =>
      type !== 'object' || typeof value !== 'object' || value === null
        ? []
        : Object.entries(value)
            .filter(([, child]) => child !== undefined)
            .map(([key, child]) => {
              const place = [...path, key]
              return { key, keyOffset: locate?.(place)?.keyOffset, node: createNodeOfValue(child, locate, place) }
            }),
    items: () =>
      Array.isArray(value) ? value.map((item, index) => createNodeOfValue(item, locate, [...path, index])) : [],
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function typeOf(value: unknown): SourceType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const type = typeof value
  if (type === 'string' || type === 'number' || type === 'boolean') return type
  // A Map or a Date would otherwise pass for an object without keys.
  return Object.prototype.toString.call(value) === '[object Object]' ? 'object' : 'other'
}
