import type { JsonObject } from '@switchboard/protocol'
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { fitsSchema } from '../../src/arguments/fits-schema.ts'

const ajv = new Ajv2020({ useDefaults: true, strict: false, validateFormats: false, addUsedSchema: false })

describe('a value', () => {
  test.each<[JsonObject, unknown, boolean]>([
    [{ type: 'string', minLength: 2 }, '👍', false],
    [{ type: 'string', maxLength: 1 }, '👍', true],
    [{ type: 'integer', minimum: 1, maximum: 3 }, 3, true],
    [{ type: 'integer' }, 1.5, false],
    [{ type: 'integer' }, '5', false],
    [{ type: ['string', 'null'] }, null, true],
    [{ type: 'object' }, [], false],
    [{ enum: ['a', 1] }, '1', false],
    [{ type: 'object', properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, false],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { a: 'x', b: 2 }, false],
    [{ type: 'array', items: { type: 'boolean' }, minItems: 1 }, [true, 1], false],
    [{ type: 'object', required: ['a'] }, {}, false],
    [{ anyOf: [{ type: 'string' }, { const: 1 }] }, 1, true],
    [{ anyOf: [{ type: 'string' }, { const: 1 }] }, 2, false],
    [{ $ref: '#/$defs/List', $defs: { List: { type: 'array', items: { $ref: '#/$defs/List' } } } }, [[], [[]]], true],
    [{ $ref: '#/$defs/List', $defs: { List: { type: 'array', items: { $ref: '#/$defs/List' } } } }, [[], [1]], false],
  ])('judged by %j: %j fits? %s', (schema, value, fits) => {
    expect(fitsSchema(schema, structuredClone(value))).toBe(fits)
    expect(ajv.validate(schema, structuredClone(value))).toBe(fits)
  })

  test('is not said to fit when the schema has a keyword that is not known here', () => {
    expect(fitsSchema({ type: 'string', pattern: '^a' }, 'a')).toBe(false)
    expect(fitsSchema({ oneOf: [{}] }, 'a')).toBe(false)
    expect(fitsSchema({ type: 'object', properties: { a: { $ref: '#' } } }, { a: 1 })).toBe(false)
    expect(fitsSchema({ $ref: '#/$defs/none', $defs: {} }, 1)).toBe(false)
    expect(fitsSchema({ $ref: '#/$defs/self', $defs: { self: { $ref: '#/$defs/self' } } }, 1)).toBe(false)
    expect(fitsSchema({ enum: [{}] }, {})).toBe(false)
  })

  test('is left to the validator where a default stands in an alternative, which nobody fills in', () => {
    const schema = { anyOf: [{ type: 'object', properties: { a: { default: 1 } }, required: ['a'] }] }
    const value = {}
    expect(fitsSchema(schema, value)).toBe(false)
    expect(value).toEqual({})
    expect(fitsSchema(schema, { a: 2 })).toBe(true)
  })

  test('gets the defaults at every depth, also where they are required, and none is shared', () => {
    const schema = {
      type: 'object',
      required: ['options'],
      properties: {
        options: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 3 } } },
        list: { type: 'array', items: { type: 'object', properties: { on: { default: [true] } } } },
      },
    }
    const [one, other]: [JsonObject, JsonObject] = [{ list: [{}] }, { list: [{}] }]
    expect(fitsSchema(schema, one)).toBe(true)
    expect(fitsSchema(schema, other)).toBe(true)
    expect(one).toEqual({ options: { depth: 3 }, list: [{ on: [true] }] })
    expect(one.options).not.toBe(other.options)
    expect(schema.properties.options.default).toEqual({})
  })
})

test('what fits any of 250 schemas fits by the word of the validator too, with the same defaults, and the reverse', () => {
  const random = createSeededRandom(5)
  let fitting = 0
  for (let number = 0; number < 250; number++) {
    const schema = createSchema(random, 3)
    const validate = ajv.compile(schema)
    for (let turn = 0; turn < 8; turn++) {
      const value = createValue(random, schema)
      const [own, theirs] = [structuredClone({ value }), structuredClone({ value })]
      const fits = fitsSchema(schema, own.value)
      expect({ schema, value, fits }).toEqual({ schema, value, fits: validate(theirs.value) })
      if (!fits) continue
      fitting++
      expect(own).toEqual(theirs)
    }
  }
  expect(fitting).toBeGreaterThan(200)
}, 60_000)

function createSchema(random: SeededRandom, depth: number): JsonObject {
  const type = random.pick(['object', 'array', 'string', 'integer', 'number', 'boolean', 'null'])
  switch (depth === 0 && (type === 'object' || type === 'array') ? 'string' : type) {
    case 'object': {
      const names = ['a', 'b', 'c'].filter(() => chance(random, 0.7))
      const properties = Object.fromEntries(
        names.map((name) => {
          const schema = createSchema(random, depth - 1)
          return [name, chance(random, 0.3) ? { ...schema, default: createValue(random, schema) } : schema]
        }),
      )
      return {
        type,
        properties,
        ...(chance(random, 0.5) ? { required: names.filter(() => chance(random, 0.5)) } : {}),
        ...(chance(random, 0.5)
          ? { additionalProperties: random.pick<unknown>([false, true, { type: 'string' }]) }
          : {}),
      }
    }
    case 'array':
      return {
        type,
        items: createSchema(random, depth - 1),
        minItems: between(random, 0, 2),
        maxItems: between(random, 1, 3),
      }
    case 'string':
      return chance(random, 0.3)
        ? { type: 'string', enum: ['x', 'yy', ''] }
        : { type: 'string', minLength: between(random, 0, 2), maxLength: between(random, 1, 4) }
    case 'integer':
    case 'number':
      return { type, minimum: between(random, -3, 1), maximum: between(random, 1, 5), description: 'a number' }
    default:
      return chance(random, 0.5) ? { type } : { type: [type, 'string'] }
  }
}

/** Mostly of the type that is asked for. */
function createValue(random: SeededRandom, schema: JsonObject): unknown {
  if (chance(random, 0.06)) return random.pick<unknown>([null, true, 'x', '👍👍', 0.5, 7, [], {}, [1], { z: 1 }])
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object': {
      const rules = Object.entries(schema.properties ?? {}).filter(() => chance(random, 0.8))
      const entries = rules.map(([name, rule]) => [name, createValue(random, rule)])
      return Object.fromEntries(
        chance(random, 0.15) ? [...entries, ['other', random.pick<unknown>(['text', 1])]] : entries,
      )
    }
    case 'array':
      return Array.from({ length: between(random, 0, 3) }, () => createValue(random, schema.items as JsonObject))
    case 'string':
      return random.pick(['', 'x', 'yy', '👍', 'long text'])
    case 'integer':
      return between(random, -4, 6)
    case 'number':
      return between(random, -4, 6) / 2
    case 'boolean':
      return chance(random, 0.5)
    default:
      return null
  }
}

function chance(random: SeededRandom, share: number): boolean {
  return random.below(100) < share * 100
}

function between(random: SeededRandom, least: number, most: number): number {
  return least + random.below(most - least + 1)
}
