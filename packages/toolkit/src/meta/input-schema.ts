import type { JsonObject } from '@switchboard/protocol'
import type { ParamMeta } from './tool-fields.ts'

/** JSON Schema of a tool's parameters. Nothing but the declared ones is accepted. */
export function createInputSchema(params: Readonly<Record<string, ParamMeta>>): JsonObject {
  return createObjectSchema(params)
}

export function createParamSchema(param: ParamMeta): JsonObject {
  const { note, default: fallback } = param
  return {
    ...createTypeSchema(param),
    ...(note === undefined ? {} : { description: note.trim().replace(/\s+/g, ' ') }),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

function createTypeSchema(param: ParamMeta): JsonObject {
  const { type, min, max, minLength, maxLength, pattern, values = [], items, properties } = param
  switch (type) {
    case 'integer':
    case 'number':
      return { type, ...pick({ minimum: min, maximum: max }) }
    case 'boolean':
      return { type }
    case 'enum':
      return { type: 'string', enum: values }
    case 'string':
      return { type: 'string', ...pick({ minLength, maxLength, pattern }) }
    case 'path':
      // A path that is empty names nothing.
      return { type: 'string', ...pick({ minLength: minLength ?? 1, maxLength, pattern }) }
    case 'array':
      return {
        type,
        ...(items === undefined ? {} : { items: createParamSchema(items) }),
        ...pick({ minItems: min, maxItems: max }),
      }
    case 'object':
      if (properties !== undefined) return createObjectSchema(properties)
      return { type, ...(items === undefined ? {} : { additionalProperties: createParamSchema(items) }) }
  }
}

function createObjectSchema(params: Readonly<Record<string, ParamMeta>>): JsonObject {
  const required = Object.entries(params).flatMap(([name, param]) => (param.required === true ? [name] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(params).map(([name, param]) => [name, createParamSchema(param)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

function pick(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
