import { expect, test } from 'vitest'
import { readFields, readForm } from '../../src/form/fields.ts'

const SCHEMA = JSON.stringify({
  type: 'object',
  required: ['path', 'depth'],
  properties: {
    path: { type: 'string' },
    depth: { type: 'integer', default: 2 },
    deep: { type: 'boolean' },
    kind: { enum: ['file', 'folder', null] },
    names: { type: 'array', items: { type: 'string' } },
    where: { type: 'object' },
  },
})

test('makes a field of each property, by its type', () => {
  const kinds = readFields(SCHEMA)?.map(({ name, kind, initial }) => [name, kind, initial])
  expect(kinds).toEqual([
    ['path', 'text', ''],
    ['depth', 'number', '2'],
    ['deep', 'flag', ''],
    ['kind', 'choice', ''],
    ['names', 'texts', ''],
    ['where', 'json', ''],
  ])
})

test('reads what was typed, and leaves out what is empty', () => {
  const fields = readFields(SCHEMA) ?? []
  const typed = new Map([
    ['path', 'a b'],
    ['depth', '3'],
    ['deep', 'false'],
    ['kind', '2'],
    ['names', 'x\ny\n'],
    ['where', '{"a":1}'],
  ])
  expect(readForm(fields, typed)).toEqual({
    ok: true,
    args: { path: 'a b', depth: 3, deep: false, kind: null, names: ['x', 'y'], where: { a: 1 } },
  })
  expect(readForm(fields, new Map([['depth', '1']]))).toEqual({ ok: true, args: { path: '', depth: 1 } })
})

test('tells what cannot be read, by its field', () => {
  const reading = readForm(
    readFields(SCHEMA) ?? [],
    new Map([
      ['depth', '1.5'],
      ['where', '{'],
    ]),
  )
  expect(reading.ok ? [] : [...reading.problems.keys()]).toEqual(['depth', 'where'])
})

test.each([
  undefined,
  'no JSON',
  '[]',
  '{"oneOf":[]}',
  JSON.stringify({ properties: Object.fromEntries(Array.from({ length: 61 }, (_, at) => [at, {}])) }),
])('makes no form of %s', (schema) => {
  expect(readFields(schema)).toBeUndefined()
})

test('understands what generators of schemas say in a roundabout way', () => {
  const schema = {
    $defs: { Place: { type: 'string', enum: ['here', 'there'], description: 'where' }, Loop: { $ref: '#/$defs/Loop' } },
    properties: {
      // As pydantic writes what is optional.
      limit: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: null, description: 'how many' },
      place: { $ref: '#/$defs/Place', default: 'there' },
      maybePlace: { anyOf: [{ $ref: '#/$defs/Place' }, { type: 'null' }] },
      named: { allOf: [{ $ref: '#/$defs/Place' }], description: 'which' },
      // As zod writes literals.
      level: { anyOf: [{ const: 'low' }, { const: 'high' }] },
      only: { const: 'this' },
      nullable: { type: ['boolean', 'null'] },
      // What stays roundabout.
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      loop: { $ref: '#/$defs/Loop' },
      lost: { $ref: '#/$defs/Nowhere' },
      foreign: { $ref: 'https://example.com/schema.json' },
    },
  }
  const fields = readFields(JSON.stringify(schema)) ?? []
  expect(fields.map(({ name, kind, initial, description }) => [name, kind, initial, description])).toEqual([
    ['limit', 'number', '', 'how many'],
    ['place', 'choice', '1', 'where'],
    ['maybePlace', 'choice', '', 'where'],
    ['named', 'choice', '', 'which'],
    ['level', 'choice', '', ''],
    ['only', 'choice', '', ''],
    ['nullable', 'flag', '', ''],
    ['either', 'json', '', ''],
    ['loop', 'json', '', ''],
    ['lost', 'json', '', ''],
    ['foreign', 'json', '', ''],
  ])
  expect(readForm(fields, new Map([['level', '1']]))).toEqual({ ok: true, args: { level: 'high' } })
})

test('survives whatever a server puts into a schema', () => {
  const odd = JSON.stringify({
    required: 'all',
    properties: { __proto__x: 5, 'a\u202e': { enum: 'none', type: ['string'], description: 7 } },
  })
  expect(readFields(odd)?.map(({ label, kind, description }) => [label, kind, description])).toEqual([
    ['__proto__x', 'json', ''],
    ['a\\u202e', 'text', ''],
  ])
})
