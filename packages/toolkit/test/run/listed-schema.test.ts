import { expect, it } from 'vitest'
import { listSchema } from '../../src/run/listed-schema.ts'

it('leaves out what every agent would pay for and nobody needs, also inside, and keeps the rest', () => {
  const input = {
    type: 'object',
    properties: {
      minLength: { type: 'string', minLength: 1, description: 'a name like a keyword' },
      code: { type: 'string', minLength: 3, maxLength: 9 },
      points: {
        type: 'array',
        items: { type: 'object', properties: { path: { type: 'string', minLength: 1 } }, additionalProperties: false },
      },
      env: { type: 'object', additionalProperties: { type: 'string', minLength: 1 } },
    },
    required: ['minLength'],
    additionalProperties: false,
  }
  const before = structuredClone(input)
  expect(listSchema(input)).toEqual({
    type: 'object',
    properties: {
      minLength: { type: 'string', description: 'a name like a keyword' },
      code: { type: 'string', minLength: 3, maxLength: 9 },
      points: { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
      env: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['minLength'],
    additionalProperties: false,
  })
  expect(input).toEqual(before)
})
