import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { formatProblems, SchemaChecker } from '../../src/run/check-params.ts'
import { callTool, createSmallPack, declare } from '../helpers/small-pack.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
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
const checker = new SchemaChecker()
const OK = { path: 'a.ts', line: 1 }

async function problemsOf(given: unknown): Promise<string> {
  const { problems } = await checker.checkParams(SCHEMA, given)
  return problems === undefined ? 'none' : formatProblems(problems)
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
      'zebra is not a parameter (known: path, line, context, depth, id, lines, env, filter, wait)',
    ],
    ['a text for a number', { ...OK, line: '3' }, 'line must be an integer, not "3"'],
    ['a fraction', { ...OK, line: 1.5 }, 'line must be an integer, not 1.5'],
    ['too small', { ...OK, line: 0 }, 'line must be an integer, at least 1, not 0'],
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
      'lines must be an array, each an integer, at least 1, at most 3 of them, not [1,2,3,4]',
    ],
    ['inside a map', { ...OK, env: { A: 1 } }, 'env.A must be a string, not 1'],
    [
      'inside an object',
      { ...OK, filter: { sauce: 'x' } },
      'filter.source is required (any value); "sauce" was given; filter.sauce is not a parameter (known: minLength)',
    ],
    ['null', { ...OK, wait: null }, 'wait must be true or false, not null'],
    ['no object at all', [1], 'the parameters must be an object, not [1]'],
    ['a huge value', { ...OK, line: 'x'.repeat(1_000) }, `line must be an integer, not "${'x'.repeat(59)}…`],
  ])('%s', async (_name, given, expected) => {
    expect(await problemsOf(given)).toBe(expected)
  })

  it('are none for good ones, and defaults are filled in at every depth', async () => {
    expect(await checker.checkParams(SCHEMA, { ...OK, filter: { source: 1 } })).toMatchObject({
      problems: expect.anything(),
    })
    expect(await checker.checkParams(SCHEMA, OK)).toEqual({ params: { ...OK, depth: 3 } })
  })

  it('are at most twenty', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`unknown${index}`, 1]))
    const { problems } = await checker.checkParams(SCHEMA, { ...OK, ...many })
    expect(problems).toHaveLength(20)
  })

  it('never come from the prototype of an object', async () => {
    expect(await problemsOf(JSON.parse('{"path":"a","line":1,"__proto__":{"x":1}}'))).toContain(
      '__proto__ is not a parameter',
    )
    expect(await problemsOf({ ...OK, constructor: 1 })).toContain('constructor is not a parameter')
  })
})

it('a call with wrong parameters names each of them and never runs', async () => {
  let runs = 0
  const { pack } = createSmallPack([[declare('a.b', { input: SCHEMA }), () => ({ data: ++runs })]])
  const { text, error } = await callTool(pack, 'a_b', { lien: 3 })
  expect(text).toBe(
    '[E_INVALID_PARAMS] a_b: path is required (a string, not empty); line is required (an integer, at least 1); "lien" was given; lien is not a parameter (did you mean "line"?). Correct the named parameters and call again.',
  )
  expect(error).toMatchObject({
    executed: false,
    details: {
      problems: [
        { parameter: 'path', expected: 'a string, not empty' },
        { parameter: 'line' },
        { parameter: 'lien', nearest: 'line' },
      ],
    },
  })
  expect(runs).toBe(0)
})
