import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { SchemaChecker } from '../../src/arguments/schema-checker.ts'

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1 },
    depth: { type: 'integer', minimum: 0, maximum: 10, default: 3 },
    filter: {
      type: 'object',
      properties: { minLength: { type: 'integer', default: 5 }, source: { type: 'string' } },
      required: ['source'],
      additionalProperties: false,
    },
  },
  required: ['path'],
  additionalProperties: false,
}
const OK = { path: 'a.ts' }
const checker = new SchemaChecker()

describe('the parameters of a call', () => {
  it('are a copy with the defaults filled in at every depth', async () => {
    const given = { ...OK, filter: { source: 'all' } }
    expect(await checker.checkParams(SCHEMA, given)).toEqual({
      params: { ...OK, depth: 3, filter: { source: 'all', minLength: 5 } },
    })
    expect(given).toEqual({ ...OK, filter: { source: 'all' } })
  })

  it('are told with every problem at once, and nothing is converted', async () => {
    expect(await checker.checkParams(SCHEMA, { depth: '3', filter: { source: 1 } })).toMatchObject({
      problems: [{ field: 'path' }, { field: 'depth' }, { field: 'filter.source' }],
    })
  })

  it.each([undefined, null])('are none for %s', async (given) => {
    expect(await checker.checkParams({ ...SCHEMA, required: [] }, given)).toEqual({ params: { depth: 3 } })
  })
})
