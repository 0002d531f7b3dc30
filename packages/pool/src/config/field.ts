import type { FieldType } from './field-types.ts'
import type { Field } from './read-fields.ts'

/** One key of the configuration; its default is of the type that its values have. */
export function field<T>(type: FieldType<T>, rest: Omit<Field<NoInfer<T>>, 'type'>): Field<T> {
  return { type, ...rest }
}
