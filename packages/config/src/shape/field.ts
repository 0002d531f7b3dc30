/**
 * One key of a configuration: its type, its default and what it is for. A table of keys is the one declaration of an
 * object; `ValuesOf` and `InputOf` are its TypeScript types.
 */
import type { Json } from '@switchboard/protocol'
import type { FieldType } from './field-types.ts'

interface FieldDetails<K extends string> {
  /** The default as one would write it in the file; absent: there is none to show. */
  readonly written?: Json
  /** Of a plain number. */
  readonly unit?: string
  /** Accepted because other programs write it, but not recommended. */
  readonly deprecated?: boolean
  /** Where the object is one of several kinds: those that have this key. Absent: all. */
  readonly kinds?: readonly K[]
  /** One sentence or two. */
  readonly doc: string
  readonly examples?: readonly Json[]
}

/** `T` is what is read, `I` what is written, `R` whether it must be, and `K` the kinds of object that have the key. */
export interface Field<T, I = unknown, R extends boolean = boolean, K extends string = string> extends FieldDetails<K> {
  readonly type: FieldType<T, I>
  /** What is used when the key is absent; of a required one: while the rest is checked. */
  readonly fallback: T
  readonly required: R
}

export type FieldTable = Readonly<Record<string, Field<unknown>>>

/** What is read. */
export type ValuesOf<F extends FieldTable> = {
  readonly [Key in keyof F]: F[Key] extends Field<infer T> ? T : never
}

type RequiredKeys<F extends FieldTable> = {
  [Key in keyof F]: F[Key] extends Field<unknown, unknown, true> ? Key : never
}[keyof F]

type InputAt<F extends FieldTable, Key extends keyof F> = F[Key] extends Field<unknown, infer I> ? I : never

type Flat<T> = { [Key in keyof T]: T[Key] }

/** What a person writes, for those who pass a configuration as an object. */
export type InputOf<F extends FieldTable> = Flat<
  { [Key in RequiredKeys<F>]: InputAt<F, Key> } & {
    [Key in Exclude<keyof F, RequiredKeys<F>>]?: InputAt<F, Key> | undefined
  }
>

/** The keys that an object of that kind has. */
export type KeysOfKind<F extends FieldTable, Kind extends string> = {
  [Key in keyof F]: F[Key] extends Field<unknown, unknown, boolean, infer K> ? (Kind extends K ? Key : never) : never
}[keyof F]

/** Without a fallback the value of an absent key is undefined. */
export function field<T, I, const K extends string = string>(
  type: FieldType<T, I>,
  details: FieldDetails<K> & { readonly fallback: NoInfer<T>; readonly required: true },
): Field<T, I, true, K>
export function field<T, I, const K extends string = string>(
  type: FieldType<T, I>,
  details: FieldDetails<K> & { readonly fallback: NoInfer<T>; readonly required?: never },
): Field<T, I, false, K>
export function field<T, I, const K extends string = string>(
  type: FieldType<T, I>,
  details: FieldDetails<K> & { readonly fallback?: never; readonly required?: never },
): Field<T | undefined, I, false, K>
export function field<T, I>(
  type: FieldType<T, I>,
  details: FieldDetails<string> & { readonly fallback?: T; readonly required?: true },
): Field<T | undefined, I> {
  return { ...details, type, fallback: details.fallback, required: details.required === true }
}

/** Of the values those that an object of that kind has. */
export function pickKind<F extends FieldTable, Kind extends string>(
  fields: F,
  values: ValuesOf<F>,
  kind: Kind,
): Pick<ValuesOf<F>, KeysOfKind<F, Kind>> {
  const own = Object.entries(values).filter(([key]) => fields[key]?.kinds?.includes(kind) !== false)
  // The keys that `KeysOfKind` keeps: without kinds, or with this one.
  return Object.fromEntries(own) as Pick<ValuesOf<F>, KeysOfKind<F, Kind>>
}
