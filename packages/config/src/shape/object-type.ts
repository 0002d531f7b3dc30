/**
 * Reads one object by a table of its fields. Refuses what the table does not name: a misspelt key that is ignored
 * is a setting that silently does nothing.
 */
import { nearestName } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import type { KeyPath } from '../problems.ts'
import type { SourceEntry, SourceNode } from '../source/source-node.ts'
import type { FieldTable, InputOf, ValuesOf } from './field.ts'
import { type FieldType, type ReadContext, refuse } from './field-types.ts'

export interface ObjectTable<F extends FieldTable = FieldTable> {
  /** The name of its definition in the JSON Schema: `server`. */
  readonly name: string
  /** "a server", for messages. */
  readonly owner: string
  /** Its heading in the documentation. Default: the owner. */
  readonly title?: string
  readonly fields: F
  /** Keys that other programs know: what to do with each. Completes "Expected …". */
  readonly foreign?: ForeignKeys
  /** Keys that only other programs read, each with what it is to them: they may stand there, and change nothing. */
  readonly ignored?: Readonly<Record<string, string>>
  /** What other programs call a field of ours. */
  readonly renamed?: Readonly<Record<string, keyof F & string>>
  /** What its JSON Schema says beyond its keys. */
  readonly rules?: JsonObject
}

export type ForeignKeys = Readonly<Partial<Record<string, string>>>

export interface FieldReadings<F extends FieldTable> {
  readonly values: ValuesOf<F>
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
    else if (!isForOthers(entry, table)) reportUnknownKey(entry, path, table, context)
  }
  for (const entry of node.entries()) {
    const ours = readOwn(table.renamed, entry.key)
    // What is there under our own name wins.
    if (ours !== undefined && !given.has(ours)) given.set(ours, entry)
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
  return { values: values as ValuesOf<F>, given }
}

function isForOthers<F extends FieldTable>({ key }: SourceEntry, { ignored, renamed }: ObjectTable<F>): boolean {
  return readOwn(ignored, key) !== undefined || readOwn(renamed, key) !== undefined
}

function readOwn<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
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
export function objectType<F extends FieldTable>(table: ObjectTable<F>): FieldType<ValuesOf<F>, InputOf<F>> {
  return {
    expected: `an object: ${table.owner}`,
    short: 'object',
    schema: { $ref: `#/$defs/${table.name}` },
    nested: [{ table, below: '' }],
    read: (node, path, context) => {
      const readings = readFields(node, path, table, context)
      return readings === undefined ? undefined : { value: readings.values }
    },
  }
}

/** What an empty object stands for. */
export function readFallbacks<F extends FieldTable>(fields: F): ValuesOf<F> {
  // One value for each key, from that key's own field.
  return Object.fromEntries(Object.entries(fields).map(([key, { fallback }]) => [key, fallback])) as ValuesOf<F>
}
