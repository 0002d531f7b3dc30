/** The JSON Schema (2020-12) of a configuration file, made from its table of keys, for editors. */
import type { JsonObject } from '@switchboard/protocol'
import type { Field, FieldTable } from '../shape/field.ts'
import type { ObjectTable } from '../shape/object-type.ts'
import { listTables } from './list-tables.ts'

export function createTableSchema(table: ObjectTable): JsonObject {
  const [, ...nested] = listTables(table)
  const definitions = nested.map((inner): [string, JsonObject] => [inner.table.name, createObjectSchema(inner.table)])
  return { ...createObjectSchema(table), $defs: Object.fromEntries(definitions) }
}

function createObjectSchema({ fields, rules = {}, ignored = {}, renamed = {} }: ObjectTable): JsonObject {
  const entries = Object.entries<FieldTable[string]>(fields)
  const required = entries.filter(([, field]) => field.required).map(([key]) => key)
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: {
      ...Object.fromEntries(entries.map(([key, field]) => [key, createFieldSchema(field)])),
      ...mapValues(renamed, (ours) => ({
        ...fields[ours]?.type.schema,
        description: `\`${ours}\`, as other clients call it.`,
        deprecated: true,
      })),
      ...mapValues(ignored, (what) => ({ description: `${what} Means nothing here.`, deprecated: true })),
    },
    ...rules,
  }
}

function mapValues(record: Readonly<Record<string, string>>, map: (value: string) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function createFieldSchema({ type, doc, written, deprecated, examples }: Field<unknown>): JsonObject {
  return {
    description: doc,
    ...type.schema,
    ...(written === undefined ? {} : { default: written }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(examples === undefined ? {} : { examples: [...examples] }),
  }
}

/** For the rules of an object that is one of several kinds: no key of another kind. */
export function forbidKeysOfOtherKinds(fields: FieldTable, kind: string): JsonObject {
  const foreign = Object.entries(fields).filter(([, { kinds }]) => kinds?.includes(kind) === false)
  return Object.fromEntries(foreign.map(([key]) => [key, false]))
}
