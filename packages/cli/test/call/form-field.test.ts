import { describe, expect, test } from 'vitest'
import { readField, readFieldAnswer } from '../../src/call/form-field.ts'

const answer = (schema: Record<string, unknown>, text: string) => readFieldAnswer(readField('f', schema, true), text)

test.each([
  [{ type: 'string' }, 'plain', 'plain'],
  [{ type: 'integer' }, '7', 7],
  [{ type: 'number' }, '0.5', 0.5],
  [{ type: 'boolean' }, 'Y', true],
  [{ type: 'boolean' }, 'no', false],
  [{ type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] }, 'green', 'g'],
  [{ type: 'string', enum: ['r', 'g'] }, '1', 'r'],
  [
    {
      type: 'string',
      oneOf: [
        { const: 'a', title: 'First' },
        { const: 'b', title: 'Second' },
      ],
    },
    'second',
    'b',
  ],
  [{ type: 'string', enum: ['2', '1'] }, '1', '1'],
  [{ type: 'array', items: { enum: ['x', 'y', 'z'] } }, 'x, 3, x', ['x', 'z']],
  [{ type: 'array', items: { anyOf: [{ const: 'p', title: 'Pea' }] } }, 'pea', ['p']],
  [{ type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
])('%j reads %j as %j', (schema, text, value) => {
  expect(answer(schema, text)).toEqual({ value })
})

test.each([
  [{ type: 'integer' }, '1.5', 'It must be a whole number.'],
  [{ type: 'number', minimum: 2 }, '1', 'It must be at least 2.'],
  [{ type: 'number', maximum: 2 }, '3', 'It must be at most 2.'],
  [{ type: 'number' }, 'many', 'That is no number.'],
  [{ type: 'boolean' }, 'perhaps', 'Answer y or n.'],
  [{ type: 'string', enum: ['a', 'b'] }, '3', 'Answer with a number from 1 to 2, or a name.'],
  [{ type: 'string', minLength: 3 }, 'ab', 'It needs at least 3 characters.'],
  [{ type: 'string', maxLength: 1 }, 'ab', 'It may have at most 1 characters.'],
  [{ type: 'string', format: 'email' }, 'ada', 'It must look like ada@example.com.'],
  [{ type: 'string', format: 'date' }, '2026-13-45', 'It must look like 2026-07-28.'],
  [{ type: 'string', pattern: '^a' }, 'b', 'It must fit ^a.'],
  [{ type: 'array', items: { enum: ['x', 'y'] }, minItems: 2 }, 'x', 'Choose at least 2.'],
])('%j refuses %j: %s', (schema, text, problem) => {
  expect(answer(schema, text)).toEqual({ problem })
})

describe('a field', () => {
  test('is called by its title, and says what it takes', () => {
    expect(readField('age', { type: 'integer', title: 'Your age', minimum: 0, maximum: 120 }, false)).toMatchObject({
      label: 'Your age',
      kind: 'whole number 0 to 120',
      isRequired: false,
    })
  })

  test('whose pattern is broken is left to the server to judge', () => {
    expect(answer({ type: 'string', pattern: '(' }, 'x')).toEqual({ value: 'x' })
  })
})
