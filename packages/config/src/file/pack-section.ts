/**
 * The section of a pack: the keys under `packs.<name>`. Every pack has `enabled`; the rest is its own. A file's `packs`
 * is composed from a list of packs, so that a new one brings its keys, their schema and their documentation with it.
 */
import { type Field, type FieldTable, field, type InputOf, type ValuesOf } from '../shape/field.ts'
import { booleanType } from '../shape/field-types.ts'
import { objectType, readFallbacks } from '../shape/object-type.ts'

export interface PackSectionDeclaration<F extends FieldTable> {
  /** The heading of its keys in the documentation: "The debugger". */
  readonly title: string
  /** What `packs.<name>` is for, as one sentence. */
  readonly doc: string
  /** What `enabled` switches, as one sentence. */
  readonly enabled: string
  /** Whether it is on where nobody says. Default: true. */
  readonly enabledByDefault?: boolean
  /** Its own keys, besides `enabled`. */
  readonly fields: F
}

export interface EnabledField {
  readonly enabled: Field<boolean, boolean, false>
}

export interface PackSection<F extends FieldTable = FieldTable> {
  readonly title: string
  readonly doc: string
  readonly fields: F & EnabledField
}

export function packSection<const F extends FieldTable>(declaration: PackSectionDeclaration<F>): PackSection<F> {
  const { title, doc, enabled, enabledByDefault = true } = declaration
  const switchField = field(booleanType, { fallback: enabledByDefault, written: enabledByDefault, doc: enabled })
  return { title, doc, fields: { enabled: switchField, ...declaration.fields } }
}

/** What a pack is created with. */
export type PackValues<S extends PackSection> = ValuesOf<S['fields']>

export interface PackDeclaration<S extends PackSection = PackSection> {
  readonly name: string
  readonly config: S
}

type PacksValues<P extends readonly PackDeclaration[]> = {
  readonly [Pack in P[number] as Pack['name']]: ValuesOf<Pack['config']['fields']>
}

type PacksInput<P extends readonly PackDeclaration[]> = {
  [Pack in P[number] as Pack['name']]?: InputOf<Pack['config']['fields']> | undefined
}

/** The key `packs` of a file, from its packs. */
export function packsField<const P extends readonly PackDeclaration[]>(
  packs: P,
): Field<PacksValues<P>, PacksInput<P>, false> {
  const fields = Object.fromEntries(packs.map(({ name, config }) => [name, createPackField(name, config)]))
  const table = { name: 'packs', owner: 'the packs', fields }
  const [first] = packs
  const all: Field<unknown> = field(objectType(table), {
    fallback: readFallbacks(fields),
    written: {},
    doc: 'The packs of tools that are built in; see below.',
    ...(first === undefined ? {} : { examples: [{ [first.name]: { enabled: false } }] }),
  })
  // One key for each pack, just above, with the values of that pack's own section.
  return all as Field<PacksValues<P>, PacksInput<P>, false>
}

function createPackField(name: string, { title, doc, fields }: PackSection): Field<unknown> {
  const table = { name: `${name}Pack`, owner: `packs.${name}`, title, fields }
  return field(objectType(table), { fallback: readFallbacks(fields), written: {}, doc })
}
