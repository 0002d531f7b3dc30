/** What one owner declares of a configuration file: some of its keys, and what only shows when they are seen together. */
import type { ConfigProblem } from '../problems.ts'
import type { FieldTable, InputOf, ValuesOf } from '../shape/field.ts'
import type { ReadContext } from '../shape/field-types.ts'
import type { ForeignKeys } from '../shape/object-type.ts'
import type { SourceNode } from '../source/source-node.ts'

export interface SectionPlace {
  readonly root: SourceNode
  readonly context: ReadContext
}

export interface Section<F extends FieldTable = FieldTable, V = unknown> {
  readonly fields: F
  readonly foreign: ForeignKeys
  /** From the values of its keys to what the program works with; may report what is wrong between them. */
  finish(values: ValuesOf<F>, place: SectionPlace): V
  readonly entries: SectionEntries<V> | undefined
}

/** A key of which each entry stands for itself: what is wrong with one need not be the end of the others. */
export interface SectionEntries<V> {
  readonly key: string
  /** What the program works with where these entries are wrong. */
  settle(values: V, problems: ReadonlyMap<string, readonly ConfigProblem[]>): V
}

export function section<F extends FieldTable, V = ValuesOf<F>>(declaration: {
  readonly fields: F
  readonly foreign?: ForeignKeys
  readonly finish?: (values: ValuesOf<F>, place: SectionPlace) => V
  readonly entries?: SectionEntries<NoInfer<V>>
}): Section<F, V> {
  const { fields, foreign = {}, entries } = declaration
  // Without a finish V is what is read.
  const finish = declaration.finish ?? ((values: ValuesOf<F>) => pickKeys(values, fields) as V)
  return { fields, foreign, finish, entries }
}

/** The values come from the whole file. */
function pickKeys(values: Readonly<Record<string, unknown>>, fields: FieldTable): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(fields).map((key) => [key, values[key]]))
}

type UnionToIntersection<U> = (U extends unknown ? (member: U) => void : never) extends (all: infer A) => void
  ? A
  : never

/** What the program works with, of all sections together. */
export type SectionValues<S extends readonly Section[]> = UnionToIntersection<
  S[number] extends infer One ? (One extends Section<infer _F, infer V> ? V : never) : never
>

/** What a person writes, of all sections together. */
export type SectionInput<S extends readonly Section[]> = UnionToIntersection<
  S[number] extends infer One ? (One extends Section<infer F> ? InputOf<F> : never) : never
>
