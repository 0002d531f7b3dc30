import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { describeArguments } from '../../src/call/describe-arguments.ts'
import { applyPairs, readJsonArgument } from '../../src/call/read-call-arguments.ts'

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer', description: 'how often' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    target: { type: 'object', properties: { port: { type: 'integer' }, host: { type: 'string' } } },
    either: { type: ['integer', 'string'] },
    choice: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    level: { enum: ['low', 'high'] },
    'dotted.name': { type: 'integer' },
    anything: {},
  },
  required: ['text'],
}

test('pairs are typed by the schema of the tool', () => {
  const pairs = [
    'text=12',
    'count=3',
    'ratio=0.5',
    'on=yes',
    'labels=a,b',
    'target.port=80',
    'target.host=1.2.3.4',
    'either=x7',
    'choice=null',
    'level=low',
    'dotted.name=4',
    'anything={"a":1}',
    'unknown=plain text',
  ]
  expect(applyPairs({}, pairs, schema)).toEqual({
    text: '12',
    count: 3,
    ratio: 0.5,
    on: true,
    labels: ['a', 'b'],
    target: { port: 80, host: '1.2.3.4' },
    either: 'x7',
    choice: null,
    level: 'low',
    'dotted.name': 4,
    anything: { a: 1 },
    unknown: 'plain text',
  })
})

test('a value may hold an equals sign, and the same key again adds to a list', () => {
  expect(applyPairs({}, ['text=a=b', 'labels=x', 'labels=y'], schema)).toEqual({ text: 'a=b', labels: ['x', 'y'] })
})

test('pairs are put over the JSON, which is left as it was', () => {
  const given = { text: 'a', target: { host: 'h' } }
  expect(applyPairs(given, ['target.port=1'], schema)).toEqual({ text: 'a', target: { host: 'h', port: 1 } })
  expect(given).toEqual({ text: 'a', target: { host: 'h' } })
})

test('__proto__ is a name like any other', () => {
  const result = applyPairs({}, ['__proto__.polluted=1'], { type: 'object' })
  expect(Object.keys(result)).toEqual(['__proto__'])
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test.each([
  ['count=3.5', '"count" cannot be "3.5": it must be an integer.'],
  ['ratio=', '"ratio" cannot be "": it must be a number.'],
  ['on=maybe', '"on" cannot be "maybe": it must be a boolean.'],
  ['choice=x', '"choice" cannot be "x": it must be a number or null.'],
  ['text', '--arg "text" is not of the form key=value.'],
])('%s is refused: %s', (pair, message) => {
  expect(() => applyPairs({}, [pair], schema)).toThrow(message)
})

test('a key that a closed schema does not know is answered with the nearest one', () => {
  const closed = { type: 'object', properties: { message: { type: 'string' } }, additionalProperties: false }
  expect(() => applyPairs({}, ['mesage=x'], closed)).toThrow('The tool has no argument "mesage". Did you mean message?')
})

describe('the JSON of a call', () => {
  test('comes from the argument, from stdin for a dash, and is empty without either', async () => {
    expect(await readJsonArgument('{"a":1}', Readable.from([]))).toEqual({ a: 1 })
    expect(await readJsonArgument('-', Readable.from(['{"a":', '2}']))).toEqual({ a: 2 })
    expect(await readJsonArgument(undefined, Readable.from([]))).toEqual({})
  })

  test('must be an object', async () => {
    await expect(readJsonArgument('[1]', Readable.from([]))).rejects.toThrow('must be an object, not a list')
    await expect(readJsonArgument('{a:1}', Readable.from([]))).rejects.toThrow(
      'The JSON of the argument cannot be read',
    )
    await expect(readJsonArgument('-', Readable.from(['nonsense']))).rejects.toThrow('The JSON of stdin cannot be read')
  })
})

test('arguments are described with their types and which are required', () => {
  const described = describeArguments(schema).map(
    ({ name, type, required }) => `${name}${required ? '!' : ''}: ${type}`,
  )
  expect(described).toEqual([
    'text!: string',
    'count: integer',
    'ratio: number',
    'on: boolean',
    'labels: string[]',
    'target: object',
    'either: integer | string',
    'choice: number | null',
    'level: "low" | "high"',
    'dotted.name: integer',
    'anything: any',
  ])
})
