import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { compileForeign, compileOwnSchema } from '../../src/arguments/compile-schema.ts'
import {
  createArgumentsError,
  describeProblems,
  describeWrongValue,
  type FieldProblem,
  formatProblems,
} from '../../src/arguments/describe-problems.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    note: { type: 'string', maxLength: 500 },
    line: { type: 'integer', minimum: 1 },
    context: { type: 'string', enum: ['repl', 'watch', 'hover'] },
    depth: { type: 'integer', minimum: 0, maximum: 10, default: 3 },
    id: { type: 'string', pattern: '^[a-z]+$' },
    lines: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 3 },
    env: { type: 'object', additionalProperties: { type: 'string' } },
    filter: {
      type: 'object',
      properties: { minLength: { type: 'integer', default: 5 } },
      required: ['source'],
      additionalProperties: false,
    },
    wait: { type: 'boolean' },
  },
  required: ['path', 'line'],
  additionalProperties: false,
}
const OK = { path: 'a.ts', line: 1 }

async function find(schema: JsonObject, args: unknown): Promise<FieldProblem[]> {
  const validate = await compileForeign(schema)
  return validate(args) ? [] : describeProblems(validate.errors ?? [], schema, args)
}

/** As the schema of a server and as one of ours: the words are the same. */
async function problemsOf(given: unknown = {}): Promise<string> {
  const validate = await compileOwnSchema(SCHEMA)
  const own = validate(structuredClone(given)) ? [] : describeProblems(validate.errors ?? [], SCHEMA, given)
  expect(await find(SCHEMA, given)).toEqual(own)
  return formatProblems(own)
}

describe('the problems of parameters', () => {
  it.each<[string, unknown, string]>([
    ['all missing', undefined, 'path is required (a string, not empty); line is required (an integer, at least 1)'],
    [
      'a misspelt one',
      { path: 'a', lien: 3 },
      'line is required (an integer, at least 1); "lien" was given; lien is not a parameter (did you mean "line"?)',
    ],
    [
      'an unknown one',
      { ...OK, zebra: 1 },
      'zebra is not a parameter (known: path, note, line, context, depth, id, lines, env, filter, wait)',
    ],
    ['a text for a number', { ...OK, line: '3' }, 'line must be an integer, not "3"'],
    ['a fraction', { ...OK, line: 1.5 }, 'line must be an integer, not 1.5'],
    ['too small', { ...OK, line: 0 }, 'line must be an integer, at least 1, not 0'],
    ['too long', { ...OK, note: '🚀'.repeat(501) }, 'note must be a string, at most 500 characters, not one of 501'],
    ['too large', { ...OK, depth: 11 }, 'depth must be an integer, at least 0, at most 10, not 11'],
    ['empty', { ...OK, path: '' }, 'path must be a string, not empty, not ""'],
    [
      'not one of the values',
      { ...OK, context: 'wach' },
      'context must be one of "repl", "watch", "hover", not "wach" (did you mean "watch"?)',
    ],
    ['a pattern', { ...OK, id: 'A1' }, 'id must be a string, matching ^[a-z]+$, not "A1"'],
    ['inside an array', { ...OK, lines: [1, 0] }, 'lines[1] must be an integer, at least 1, not 0'],
    [
      'too many',
      { ...OK, lines: [1, 2, 3, 4] },
      'lines must be an array, each an integer, at least 1, at most 3 of them, not an array of 4',
    ],
    ['inside a map', { ...OK, env: { A: 1 } }, 'env.A must be a string, not 1'],
    [
      'inside an object',
      { ...OK, filter: { sauce: 'x' } },
      'filter.source is required; "sauce" was given; filter.sauce is not a parameter (known: minLength)',
    ],
    ['null', { ...OK, wait: null }, 'wait must be true or false, not null'],
    ['no object at all', [1], 'they must be an object, not an array of 1'],
    ['a huge value', { ...OK, line: 'x'.repeat(1_000) }, `line must be an integer, not "${'x'.repeat(59)}…`],
  ])('%s', async (_name, given, expected) => {
    expect(await problemsOf(given)).toBe(expected)
  })

  it('are at most twenty', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`unknown${index}`, 1]))
    expect(await find(SCHEMA, { ...OK, ...many })).toHaveLength(20)
  })

  it('never come from the prototype of an object', async () => {
    expect(await problemsOf(JSON.parse('{"path":"a","line":1,"__proto__":{"x":1}}'))).toContain(
      '__proto__ is not a parameter',
    )
    expect(await problemsOf({ ...OK, constructor: 1 })).toContain('constructor is not a parameter')
  })
})

describe('the schema of a server', () => {
  it.each<[string, JsonObject, unknown, string]>([
    [
      'one of several types',
      { properties: { n: { type: ['integer', 'null'] } } },
      { n: 'x' },
      'n must be an integer or null, not "x"',
    ],
    ['a constant', { properties: { v: { const: 2 } } }, { v: 3 }, 'v must be 2, not 3'],
    ['a bound without a type', { properties: { n: { minimum: 3 } } }, { n: 1 }, 'n must be at least 3, not 1'],
    ['a keyword without words of ours', { properties: { n: { multipleOf: 3 } } }, { n: 1 }, 'n must be multiple of 3'],
    [
      'a reference',
      { $defs: { n: { type: 'integer', minimum: 3 } }, properties: { n: { $ref: '#/$defs/n' } } },
      { n: 1 },
      'n must be an integer, at least 3, not 1',
    ],
    [
      'a missing one by reference',
      { definitions: { n: { type: 'string' } }, properties: { n: { $ref: '#/definitions/n' } }, required: ['n'] },
      {},
      'n is required (a string)',
    ],
    [
      'references in a circle',
      { $defs: { a: { $ref: '#/$defs/a' } }, required: ['x'], properties: { x: true } },
      {},
      'x is required',
    ],
    [
      'many choices',
      { properties: { m: { enum: Array.from({ length: 40 }, (_, n) => n) } } },
      { m: 99 },
      'm must be one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …, not 99',
    ],
    ['no arguments at all', { additionalProperties: false }, { a: 1 }, 'a is not a parameter (there are none)'],
    [
      'what is only unevaluated',
      { properties: { depth: {} }, unevaluatedProperties: false },
      { deph: 1 },
      'deph is not a parameter (did you mean "depth"?)',
    ],
  ])('%s', async (_name, schema, given, expected) => {
    expect(formatProblems(await find(schema, given))).toBe(expected)
  })

  it('cannot make a problem long, and neither can a caller', async () => {
    const schema = { properties: { p: { pattern: 'x'.repeat(5000) } }, additionalProperties: false }
    for (const { field, problem } of await find(schema, { p: 'y', ['k'.repeat(5000)]: 1 })) {
      expect(field.length).toBeLessThanOrEqual(201)
      expect(problem.length).toBeLessThanOrEqual(401)
    }
  })
})

it.each<[string, unknown, string]>([
  ['password', 'hunter2', 'password must be a boolean, not a string'],
  ['apiKey', 12_345, 'apiKey must be a boolean, not a number'],
  ['maxTokens', 12, 'maxTokens must be a boolean, not 12'],
  ['options', { password: 'hunter2' }, 'options must be a boolean, not an object'],
  ['list', ['hunter2'], 'list must be a boolean, not an array of 1'],
  ['text', 'plain', 'text must be a boolean, not "plain"'],
])('a value that may be a secret is not shown: %s', async (name, value, expected) => {
  const schema = { properties: { [name]: { type: 'boolean' } } }
  expect(formatProblems(await find(schema, { [name]: value }))).toBe(expected.replace('a boolean', 'true or false'))
})

it('the failure names the tool and every field, for reading and for programs', async () => {
  const fields = await find(SCHEMA, { path: 'a', lien: 3 })
  const { code, message, details, executed } = createArgumentsError('debug_step', fields)
  expect({ code, message, details, executed }).toEqual({
    code: 'invalid_arguments',
    executed: false,
    message:
      'The arguments of debug_step are wrong: line is required (an integer, at least 1); "lien" was given; lien is not a parameter (did you mean "line"?)',
    details: {
      fields: [
        {
          field: 'line',
          problem: 'is required (an integer, at least 1); "lien" was given',
          expected: 'an integer, at least 1',
        },
        { field: 'lien', problem: 'is not a parameter (did you mean "line"?)', nearest: 'line' },
      ],
    },
  })
})

it('what a tool itself finds wrong is told in the same words', () => {
  expect(describeWrongValue('since', 'a time', undefined).problem).toBe('is required (a time)')
  expect(describeWrongValue('since', 'a time', 'soon')).toEqual({
    field: 'since',
    problem: 'must be a time, not "soon"',
    expected: 'a time',
  })
})
