/** A shape as JSON Schema, so that an editor checks and completes a `*.meta.yaml` or a `pack.yaml` while it is written. */
import type { JsonObject } from '@switchboard/protocol'
import type { Field, Shape } from './shape.ts'
import { PACK_SHAPE, TOOL_SHAPE } from './tool-shape.ts'

export function createMetaSchema(): JsonObject {
  return createSchema(TOOL_SHAPE, 'A tool of a Switchboard pack (*.meta.yaml)')
}

export function createPackMetaSchema(): JsonObject {
  return createSchema(PACK_SHAPE, 'What the tools of a Switchboard pack have in common (pack.yaml)')
}

function createSchema(shape: Shape, title: string): JsonObject {
  const definitions: JsonObject = {}
  const schema = toSchema(shape, { seen: new Map(), definitions })
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema, definitions }
}

interface Conversion {
  /** Shapes that contain themselves: a parameter has items and properties that are parameters. */
  readonly seen: Map<Shape, string>
  readonly definitions: JsonObject
}

function toSchema(shape: Shape, conversion: Conversion): JsonObject {
  switch (shape.kind) {
    case 'any':
      return {}
    case 'text':
      return {
        type: 'string',
        minLength: 1,
        ...(shape.max === undefined ? {} : { maxLength: shape.max }),
        ...(shape.pattern === undefined ? {} : { pattern: shape.pattern.source }),
      }
    case 'flag':
      return { type: 'boolean' }
    case 'number':
      return { type: 'number' }
    case 'schema':
      return { type: 'object' }
    case 'choice':
      return { enum: shape.values }
    case 'itself':
      return toSchema(shape.of(), conversion)
    case 'list':
      return { type: 'array', items: toSchema(shape.of(), conversion) }
    case 'record':
      return { type: 'object', additionalProperties: toSchema(shape.of(), conversion) }
    case 'object':
      return refer(shape, conversion)
  }
}

function refer(shape: Shape & { kind: 'object' }, conversion: Conversion): JsonObject {
  const { seen, definitions } = conversion
  const known = seen.get(shape)
  if (known !== undefined) return { $ref: `#/definitions/${known}` }
  const name = `object${seen.size}`
  seen.set(shape, name)
  const properties = Object.entries(shape.fields).map(([key, field]) => [key, toProperty(field, conversion)])
  const required = Object.entries(shape.fields).flatMap(([key, field]) => (field.required === true ? [key] : []))
  definitions[name] = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
  return { $ref: `#/definitions/${name}` }
}

function toProperty(field: Field, conversion: Conversion): JsonObject {
  const schema = toSchema(field.shape, conversion)
  // Beside a $ref draft 7 reads nothing else.
  return '$ref' in schema ? { allOf: [schema], description: field.what } : { ...schema, description: field.what }
}
