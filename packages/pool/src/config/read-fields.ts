/**
 * Reads one object by a table of its fields. Refuses what the table does not name: a misspelt key that is ignored
 * is a setting that silently does nothing.
 */
import { type Json, type JsonObject, nearestName } from '@switchboard/protocol'
import type { TransportKind } from '../transport/transport.ts'
import { type FieldType, type ReadContext, refuse } from './field-types.ts'
import type { KeyPath } from './problems.ts'
import type { SourceEntry, SourceNode } from './source-node.ts'

export interface Field<T> {
  readonly type: FieldType<T>
  /** What is used when the key is absent. */
  readonly fallback: T
  /** The same, as one would write it in the file; absent: there is no default to show. */
  readonly written?: Json
  /** Of a plain number. */
  readonly unit?: string
  readonly required?: boolean
  /** Accepted because other clients write it, but not recommended. */
  readonly deprecated?: boolean
  /** The transports of the servers that may have this key; absent: all. */
  readonly transports?: readonly TransportKind[]
  /** One sentence or two. */
  readonly doc: string
  readonly examples?: readonly Json[]
}

export type FieldTable = Readonly<Record<string, Field<unknown>>>

export type FieldValues<F extends FieldTable> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never
}

export interface ObjectTable<F extends FieldTable> {
  /** "a server", for messages. */
  readonly owner: string
  readonly fields: F
  /** Keys that other programs know: what to do with each. Completes "Expected …". */
  readonly foreign?: Readonly<Partial<Record<string, string>>>
}

export interface FieldReadings<F extends FieldTable> {
  readonly values: FieldValues<F>
  /** The known keys that are there. */
  readonly given: ReadonlyMap<string, SourceEntry>
}

/** A value that cannot be read is reported, and stands as its fallback so that the rest can be checked as well. */
export function readFields<F extends FieldTable>(
  node: SourceNode,
  path: KeyPath,
  table: ObjectTable<F>,
  context: ReadContext,
): FieldReadings<F> | undefined {
  if (node.type !== 'object') return refuse(context, node, path, `an object: ${table.owner}`)
  const given = new Map<string, SourceEntry>()
  for (const entry of node.entries()) {
    if (Object.hasOwn(table.fields, entry.key)) given.set(entry.key, entry)
    else reportUnknownKey(entry, path, table, context)
  }
  const values: Record<string, unknown> = {}
  for (const [key, { type, fallback, required }] of Object.entries(table.fields)) {
    const entry = given.get(key)
    if (entry === undefined && required === true) {
      context.problems.report({
        path,
        offset: node.offset,
        problem: `the key "${key}" is missing`,
        expected: type.expected,
      })
    }
    const reading = entry === undefined ? undefined : type.read(entry.node, [...path, key], context)
    values[key] = reading === undefined ? fallback : reading.value
  }
  // Every key of the table was set just above, from that key's own type.
  return { values: values as FieldValues<F>, given }
}

/** More keys than this are listed only when no near one can be named. */
const MOST_LISTED_KEYS = 8

function reportUnknownKey<F extends FieldTable>(
  { key, keyOffset }: SourceEntry,
  path: KeyPath,
  { owner, fields, foreign }: ObjectTable<F>,
  context: ReadContext,
): void {
  const report = { path: [...path, key], offset: keyOffset, problem: 'unknown key' }
  const cure = foreign !== undefined && Object.hasOwn(foreign, key) ? foreign[key] : undefined
  if (cure !== undefined) {
    context.problems.report({ ...report, problem: 'a key of other programs that has no meaning here', expected: cure })
    return
  }
  const known = Object.keys(fields).filter((candidate) => fields[candidate]?.deprecated !== true)
  const nearest = nearestName(key, known)
  const isListed = nearest === undefined || known.length <= MOST_LISTED_KEYS
  const expected = isListed ? `a key of ${owner}: ${known.join(', ')}` : `a key of ${owner}`
  context.problems.report({ ...report, expected, nearest })
}

/** An object with its own table, as the value of a field. */
export function objectType<F extends FieldTable>(
  table: ObjectTable<F>,
  short: string,
  schema: JsonObject,
): FieldType<FieldValues<F>> {
  return {
    expected: `an object: ${table.owner}`,
    short,
    schema,
    read: (node, path, context) => {
      const readings = readFields(node, path, table, context)
      return readings === undefined ? undefined : { value: readings.values }
    },
  }
}

/** What an empty object stands for. */
export function readFallbacks<F extends FieldTable>(fields: F): FieldValues<F> {
  // One value for each key, from that key's own field.
  return Object.fromEntries(Object.entries(fields).map(([key, { fallback }]) => [key, fallback])) as FieldValues<F>
}
