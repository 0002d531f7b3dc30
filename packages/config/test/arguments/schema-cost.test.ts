import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { estimateSchema, findCostly, isCheap } from '../../src/arguments/schema-cost.ts'

/** Undefined: it is costly whatever the arguments are. */
function judge(schema: JsonObject, args: unknown): boolean | undefined {
  const cost = estimateSchema(schema)
  return cost === undefined ? undefined : isCheap(cost, args)
}

const text = (length: number): string => 'x'.repeat(length)
const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index)

describe('estimateSchema and isCheap', () => {
  it('find what tools are mostly made of cheap', () => {
    const schema = {
      type: 'object',
      title: 'T',
      properties: {
        path: { type: 'string', description: text(5_000), minLength: 1 },
        id: { type: 'string', pattern: '^[a-z]+$' },
        mode: { enum: ['r', 'w'] },
        edits: { type: 'array', items: { $ref: '#/$defs/edit' } },
      },
      required: ['path'],
      $defs: { edit: { type: 'object', properties: { line: { type: 'integer' } } } },
    }
    expect(judge(schema, { path: 'a', id: 'b', edits: [{ line: 1 }] })).toBe(true)
    expect(judge(schema, { path: text(100_000) })).toBe(true)
  })

  it('find more arguments than they can count costly', () => {
    const schema = { properties: { a: { items: { type: 'integer' } } } }
    expect(judge(schema, { a: numbers(1_000) })).toBe(true)
    expect(judge(schema, { a: numbers(100_000) })).toBe(false)
  })

  it('find items that are compared with each other costly sooner', () => {
    const schema = { properties: { a: { uniqueItems: true } } }
    expect(judge(schema, { a: numbers(100) })).toBe(true)
    expect(judge(schema, { a: numbers(1_000) })).toBe(false)
  })

  it.each([
    ['a pattern', { properties: { a: { pattern: '^(a+)+$' } } }],
    ['a pattern of names', { patternProperties: { '^(a+)+$': {} } }],
    ['a pattern for names', { propertyNames: { pattern: '^(a+)+$' } }],
    ['a pattern of a property that is called like a keyword', { properties: { title: { pattern: '^(a+)+$' } } }],
    [
      'a pattern that is referred to',
      { properties: { b: { $ref: '#/$defs/x' } }, $defs: { x: { pattern: '(a+)+$' } } },
    ],
  ])('find %s that takes exponential time costly', (_what, schema) => {
    expect(judge(schema, { title: 'aaaa' })).toBe(false)
  })

  it.each([
    ['leads in circles', { properties: { a: { $ref: '#' } } }],
    ['refers to what is not in it', { properties: { a: { $ref: 'https://example.test/x' } } }],
    ['has a place of its own', { properties: { a: { $id: 'x', type: 'string' } } }],
    ['has many choices', { anyOf: numbers(1_000).map((number) => ({ required: [`a${number}`] })) }],
    ['is deep', numbers(200).reduce<JsonObject>((inner) => ({ properties: { a: inner } }), {})],
    ['doubles at every step', createDoubling(30)],
  ])('find a schema that %s costly', (_what, schema) => {
    expect(judge(schema, {})).toBeUndefined()
  })
})

function createDoubling(steps: number): JsonObject {
  const $defs = Object.fromEntries(
    numbers(steps).map((step) => {
      const next = { $ref: `#/$defs/s${step + 1}` }
      return [`s${step}`, { allOf: [next, next] }]
    }),
  )
  return { $ref: '#/$defs/s0', $defs: { ...$defs, [`s${steps}`]: {} } }
}

describe('findCostly', () => {
  it('names the worst first, and no more than three', () => {
    const properties = { a: { pattern: '^a$' }, b: { pattern: '^(a+)+$' }, c: { uniqueItems: true }, d: { $ref: '#' } }
    expect(findCostly({ properties })).toEqual(['the pattern "^(a+)+$"', 'uniqueItems', '$ref'])
  })
})
