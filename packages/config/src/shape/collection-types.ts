/** Lists and records of configuration values; the scalars are in `field-types.ts`. */
import type { KeyPath } from '../problems.ts'
import type { SourceEntry } from '../source/source-node.ts'
import { type FieldType, type NestedTable, type ReadContext, refuse } from './field-types.ts'

export interface ListOptions {
  readonly expected: string
  readonly short: string
  readonly secret?: boolean
  /** Why a list without items is refused; absent: it is fine. */
  readonly refuseEmpty?: string
  readonly unique?: boolean
}

export function listType<T, I>(item: FieldType<T, I>, options: ListOptions): FieldType<readonly T[], readonly I[]> {
  const { expected, secret = false } = options
  return {
    expected,
    short: options.short,
    ...nestedIn(item, '[]'),
    schema: {
      type: 'array',
      items: item.schema,
      ...(options.refuseEmpty === undefined ? {} : { minItems: 1 }),
      ...(options.unique === true ? { uniqueItems: true } : {}),
    },
    read: (node, path, context) => {
      if (node.type !== 'list') return refuse(context, node, path, expected, { secret })
      const items = node.items()
      if (items.length === 0 && options.refuseEmpty !== undefined) {
        return refuse(context, node, path, options.refuseEmpty, { problem: 'is an empty list' })
      }
      const values: T[] = []
      for (const [index, child] of items.entries()) {
        const reading = item.read(child, [...path, index], context)
        if (reading === undefined) continue
        if (options.unique === true && values.includes(reading.value)) {
          refuse(context, child, [...path, index], 'each value once', { problem: 'is in the list twice' })
        }
        values.push(reading.value)
      }
      return { value: values }
    },
  }
}

export interface RecordOptions<T> {
  readonly expected: string
  readonly short: string
  readonly secret?: boolean
  /** What a key is, for the documentation. Default: name. */
  readonly keyName?: string
  readonly keyPattern?: string
  /** Completes "Expected …" for a key. */
  readonly keyExpected?: string
  /** Over all entries that could be read. */
  readonly check?: (entries: readonly RecordEntry<T>[], path: KeyPath, context: ReadContext) => void
}

export interface RecordEntry<T> extends SourceEntry {
  readonly value: T
}

export function recordType<T, I>(
  item: FieldType<T, I>,
  options: RecordOptions<T>,
): FieldType<Readonly<Record<string, T>>, Readonly<Record<string, I>>> {
  const { expected, secret = false } = options
  const keyPattern = options.keyPattern === undefined ? undefined : new RegExp(options.keyPattern, 'u')
  return {
    expected,
    short: options.short,
    ...nestedIn(item, `.<${options.keyName ?? 'name'}>`),
    schema: {
      type: 'object',
      additionalProperties: item.schema,
      ...(options.keyPattern === undefined ? {} : { propertyNames: { pattern: options.keyPattern } }),
    },
    read: (node, path, context) => {
      if (node.type !== 'object') return refuse(context, node, path, expected, { secret })
      const entries: RecordEntry<T>[] = []
      for (const entry of node.entries()) {
        const entryPath = [...path, entry.key]
        if (keyPattern?.test(entry.key) === false) {
          const keyExpected = options.keyExpected ?? expected
          context.problems.report({
            path: entryPath,
            offset: entry.keyOffset,
            problem: 'is not a valid name',
            expected: keyExpected,
          })
        }
        const reading = item.read(entry.node, entryPath, context)
        if (reading !== undefined) entries.push({ ...entry, value: reading.value })
      }
      options.check?.(entries, path, context)
      return { value: createRecord(entries.map(({ key, value }) => [key, value])) }
    },
  }
}

function nestedIn({ nested }: FieldType<unknown>, below: string): { nested?: readonly NestedTable[] } {
  return nested === undefined ? {} : { nested: nested.map((inner) => ({ ...inner, below: below + inner.below })) }
}

/** Without a prototype: looking up a tool named `constructor` must find nothing. */
export function createRecord<T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> {
  const record: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) record[key] = value
  return record
}
