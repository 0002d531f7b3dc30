/** Types of values whose inside is somebody else's, or their own again. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { toPlainValue } from '../source/source-node.ts'
import { type FieldType, refuse } from './field-types.ts'
import type { ObjectTable } from './object-type.ts'

/** Anything at all, as it is written. */
export const anyType: FieldType<unknown> = {
  expected: 'any value',
  short: 'any',
  schema: {},
  read: (node) => ({ value: toPlainValue(node) }),
}

/** An object with whatever members. */
export function anyObjectType(expected: string): FieldType<JsonObject> {
  return {
    expected,
    short: 'object',
    schema: { type: 'object' },
    read: (node, path, context) => {
      const value = toPlainValue(node)
      return isJsonObject(value) ? { value } : refuse(context, node, path, expected)
    },
  }
}

/**
 * For an object that holds itself: a parameter has items, which are parameters. The table has to stand in the file at
 * another place as well, where the schema and the documentation find it.
 */
export function selfType<T, I>(
  { name, owner }: Pick<ObjectTable, 'name' | 'owner'>,
  of: () => FieldType<T, I>,
): FieldType<T, I> {
  return {
    expected: `an object: ${owner}`,
    short: 'object',
    schema: { $ref: `#/$defs/${name}` },
    read: (node, path, context) => of().read(node, path, context),
  }
}
