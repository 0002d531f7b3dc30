import { expect, it } from 'vitest'
import { schemaToType } from '../../src/generate/schema-to-type.ts'

it.each<[unknown, string]>([
  [undefined, 'unknown'],
  [false, 'never'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'a' }, '"a"'],
  [{ enum: ['a', 1, null] }, '"a" | 1 | null'],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [{ type: 'array', items: { type: ['string', 'number'] } }, 'readonly (string | number)[]'],
  [{ type: 'array' }, 'readonly unknown[]'],
  [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'readonly (readonly number[])[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, 'string | boolean'],
  [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Readonly<Record<string, number>>'],
  [{ type: 'object', properties: {} }, 'Readonly<Record<string, never>>'],
  [{ $ref: '#/$defs/Snapshot' }, 'Snapshot'],
  [{ type: 'array', items: { $ref: '#/$defs/Snapshot' } }, 'readonly Snapshot[]'],
  [{ $ref: 'https://example.com/schema' }, 'unknown'],
  [
    {
      properties: { a: { type: 'string', description: 'ends */ here' }, 'b-c': { default: 1, type: 'number' } },
      required: ['a'],
    },
    '{\n  /** ends * / here */\n  readonly a: string\n  readonly "b-c": number\n}',
  ],
])('%j is %s', (schema, type) => {
  expect(schemaToType(schema, { defaultsAreThere: true })).toBe(type)
})

it('what a result may leave out may also be undefined', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  expect(schemaToType(schema, { defaultsAreThere: false })).toBe('{\n  readonly a?: string | undefined\n}')
})
