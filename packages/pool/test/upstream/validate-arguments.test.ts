import type { FieldProblem } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { parseJson } from '@switchboard/protocol/framing'
import { describe, expect, it } from 'vitest'
import { ArgumentValidator } from '../../src/upstream/validate-arguments.ts'
import { createTool, failureOf } from '../helpers/upstream-harness.ts'

function createChecker() {
  const reports: string[] = []
  const validator = new ArgumentValidator((tool, reason) => reports.push(`${tool.name}: ${reason}`))
  return { validator, reports }
}

async function check(inputSchema: JsonObject, args: unknown): Promise<readonly FieldProblem[]> {
  const { validator, reports } = createChecker()
  try {
    await validator.check(createTool('t', { inputSchema }), args)
  } catch (error) {
    const failure = await failureOf(Promise.reject(error))
    expect(failure).toMatchObject({ code: 'invalid_arguments', executed: false })
    return failure.details.fields as FieldProblem[]
  }
  expect(reports).toEqual([])
  return []
}

const DIALECTS = {
  none: undefined,
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  'draft-07, https and without #': 'https://json-schema.org/draft-07/schema',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

describe('ArgumentValidator', () => {
  it.each(Object.entries(DIALECTS))('checks a schema of the dialect: %s', async (_name, $schema) => {
    const schema = {
      ...($schema === undefined ? {} : { $schema }),
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }
    expect(await check(schema, { path: 'x' })).toEqual([])
    expect(await check(schema, {})).toEqual([
      { field: 'path', problem: 'is required (a string)', expected: 'a string' },
    ])
  })

  it('takes integers of 64 bits for what they are, in schemas and in arguments', async () => {
    const schema = parseJson(
      '{"type":"object","properties":{"id":{"type":"integer","maximum":9223372036854775807}}}',
    ) as JsonObject
    expect(await check(schema, parseJson('{"id":1790000000000000001}'))).toEqual([])
    expect(await check(schema, parseJson('{"id":99999999999999999999}'))).toMatchObject([{ field: 'id' }])
    expect(await check(schema, { id: 'text' })).toMatchObject([{ field: 'id' }])
  })

  it('follows what is particular to each dialect', async () => {
    const tuple07 = { $schema: DIALECTS['draft-07'], properties: { pair: { items: [{ type: 'number' }] } } }
    const tuple2020 = { $schema: DIALECTS['2020-12'], properties: { pair: { prefixItems: [{ type: 'number' }] } } }
    const dependent = { $schema: DIALECTS['2019-09'], dependentRequired: { a: ['b'] } }
    expect(await check(tuple07, { pair: ['x'] })).toMatchObject([{ field: 'pair[0]' }])
    expect(await check(tuple2020, { pair: ['x'] })).toMatchObject([{ field: 'pair[0]' }])
    expect(await check(dependent, { a: 1 })).toHaveLength(1)
    expect(await check({ $defs: { x: {} }, properties: { a: { $ref: '#/$defs/x' } } }, { a: 1 })).toEqual([])
  })

  it.each([
    ['a wrong type', { properties: { n: { type: 'integer' } } }, { n: '5' }, 'n', 'must be an integer, not "5"'],
    [
      'one of several types',
      { properties: { n: { type: ['integer', 'null'] } } },
      { n: 'x' },
      'n',
      'must be an integer or null, not "x"',
    ],
    [
      'a value that is not in the list',
      { properties: { m: { enum: ['r', 'w', 1] } } },
      { m: 'x' },
      'm',
      'must be one of "r", "w", 1, not "x"',
    ],
    ['a value that is not the one', { properties: { v: { const: 2 } } }, { v: 3 }, 'v', 'must be 2, not 3'],
    ['a value out of range', { properties: { n: { minimum: 3 } } }, { n: 1 }, 'n', 'must be at least 3, not 1'],
    ['arguments that are no object', { type: 'object' }, [], '', 'must be an object, not an array of 0'],
  ])('names %s', async (_what, schema, args, field, problem) => {
    expect(await check(schema, args)).toMatchObject([{ field, problem }])
  })

  it('names the nearest known field of an unknown one, and what was written in place of a missing one', async () => {
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' }, encoding: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    }
    expect(await check(schema, { pth: 'x' })).toEqual([
      { field: 'path', problem: 'is required (a string); "pth" was given', expected: 'a string' },
      { field: 'pth', problem: 'is not a parameter (did you mean "path"?)', nearest: 'path' },
    ])
    expect(await check(schema, { path: 'x', zzzzzz: 1 })).toEqual([
      { field: 'zzzzzz', problem: 'is not a parameter (known: path, encoding)' },
    ])
  })

  it('names unknown fields also where they are only unevaluated', async () => {
    const schema = { properties: { depth: {} }, unevaluatedProperties: false }
    expect(await check(schema, { deph: 1 })).toMatchObject([{ field: 'deph', nearest: 'depth' }])
  })

  it('names the place of a problem as a path', async () => {
    const schema = {
      properties: {
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { line: { type: 'number' }, 'a/b~c': { type: 'number' } },
            required: ['line'],
            additionalProperties: false,
          },
        },
      },
    }
    const fields = await check(schema, { edits: [{ line: 1 }, { lin: 2 }, { line: 'x', 'a/b~c': 'y' }] })
    expect(fields.map(({ field }) => field).sort()).toEqual(
      ['edits[1].lin', 'edits[1].line', 'edits[2].a/b~c', 'edits[2].line'].sort(),
    )
    expect(fields.find(({ field }) => field === 'edits[1].lin')).toMatchObject({ nearest: 'line' })
  })

  it('names at most twenty problems', async () => {
    const schema = { required: Array.from({ length: 100 }, (_, index) => `field${index}`) }
    expect(await check(schema, {})).toHaveLength(20)
  })

  it('takes missing arguments for none', async () => {
    expect(await check({ type: 'object' }, undefined)).toEqual([])
  })

  it('puts all of it into the message', async () => {
    const { validator } = createChecker()
    const tool = createTool('move', { inputSchema: { properties: { x: { type: 'number' } }, required: ['y'] } })
    const error = await failureOf(Promise.resolve(validator.check(tool, { x: 'left' })))
    expect(error.message).toMatch(/^The arguments of move are wrong: /)
    expect(error.message).toContain('y is required')
    expect(error.message).toContain('x must be a number, not "left"')
  })

  it.each([
    ['is broken', { type: 'no such type' }],
    ['refers to what is not there', { properties: { a: { $ref: '#/$defs/missing' } } }],
    ['refers to another host', { properties: { a: { $ref: 'https://example.test/schema.json' } } }],
    ['is of a dialect of its own that contradicts ours', { properties: { n: { exclusiveMinimum: true } } }],
  ])('checks nothing and reports it once when a schema %s', async (_what, inputSchema) => {
    const { validator, reports } = createChecker()
    const tool = createTool('odd', { inputSchema })
    await Promise.all([validator.check(tool, { a: 1 }), validator.check(tool, {})])
    expect(validator.check(tool, 'anything')).toBeUndefined()
    expect(reports).toHaveLength(1)
    expect(reports[0]).toMatch(/^odd: ./)
  })

  it('does not compile a schema of megabytes', async () => {
    const { validator, reports } = createChecker()
    const inputSchema = { description: 'x'.repeat(600 * 1024), required: ['a'] }
    await validator.check(createTool('huge', { inputSchema }), {})
    expect(reports).toEqual(['huge: it is too large'])
  })

  it('compiles a large schema of many fields', async () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { type: 'number' }]))
    expect(await check({ properties }, { f499: 'x' })).toMatchObject([{ field: 'f499' }])
  })

  it('checks synchronously once a schema is compiled', async () => {
    const { validator } = createChecker()
    const tool = createTool('t', { inputSchema: { required: ['a'] } })
    await validator.check(tool, { a: 1 })
    expect(() => validator.check(tool, {})).toThrow('a is required')
    expect(validator.check(tool, { a: 1 })).toBeUndefined()
  })

  it('is not taken in by a schema that calls itself asynchronous', async () => {
    const schema = { $async: true, type: 'object', required: ['a'] }
    expect(await check(schema, {})).toMatchObject([{ field: 'a' }])
    expect(await check(schema, { a: 1 })).toEqual([])
  })

  it('tolerates keywords, formats and identifiers of its own', async () => {
    const schema = {
      $id: 'https://example.test/tool',
      'x-order': 1,
      properties: { at: { type: 'string', format: 'no-such-format', 'x-widget': 'date' } },
    }
    expect(await check(schema, { at: 'x' })).toEqual([])
    expect(await check(schema, { at: 'x' })).toEqual([])
  })
})
