import { readParamHeaders } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const annotate = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })

describe('readParamHeaders', () => {
  it('finds annotated properties at every depth', () => {
    const schema = {
      type: 'object',
      properties: {
        region: annotate('Region'),
        plain: { type: 'string' },
        options: { type: 'object', properties: { limit: annotate('Limit', 'integer') } },
        dry: annotate('Dry-Run', 'boolean'),
      },
    }
    expect(readParamHeaders(schema)).toEqual({
      params: [
        { name: 'Region', path: ['region'], type: 'string' },
        { name: 'Limit', path: ['options', 'limit'], type: 'integer' },
        { name: 'Dry-Run', path: ['dry'], type: 'boolean' },
      ],
      problems: [],
    })
  })

  it('reads a schema once', () => {
    const schema = { properties: { region: annotate('Region') } }
    expect(readParamHeaders(schema)).toBe(readParamHeaders(schema))
  })

  it.each([
    ['an empty name', { a: annotate('') }],
    ['a name with a line break', { a: annotate('X\r\nEvil: 1') }],
    ['a name with a space', { a: annotate('My Region') }],
    ['a name that is no text', { a: annotate(7) }],
    ['a number that is not an integer', { a: annotate('A', 'number') }],
    ['an object', { a: annotate('A', 'object') }],
    ['several types', { a: annotate('A', ['string', 'null']) }],
    ['the same name twice, in another case', { a: annotate('Region'), b: annotate('REGION') }],
  ])('tells of %s', (_title, properties) => {
    const { problems, params } = readParamHeaders({ type: 'object', properties })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^property [ab]: x-mcp-header/)
    expect(params.length).toBe(Object.keys(properties).length - 1)
  })

  it('stops in a schema that contains itself', () => {
    const schema: { properties: Record<string, unknown> } = { properties: {} }
    schema.properties.self = schema
    expect(readParamHeaders(schema)).toEqual({ params: [], problems: [] })
  })

  it.each([...MALFORMED, { properties: [] }, { properties: { a: null, b: 'x' } }])('never throws: %j', (value) => {
    expect(readParamHeaders(value)).toEqual({ params: [], problems: [] })
  })
})
