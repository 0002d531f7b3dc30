import { describe, expect, it } from 'vitest'
import { toLegacyResult } from '../../src/legacy/legacy-result.ts'

const INFO = 'io.modelcontextprotocol/serverInfo'

describe('a result for a legacy client', () => {
  it('of a legacy server is the very same object', () => {
    const result = { content: [], ttlMs: 5, _meta: { [INFO]: 1 } }
    expect(toLegacyResult('tools/call', result)).toBe(result)
  })

  it('of a modern server loses what only the modern era knows, and nothing else', () => {
    const result = {
      resultType: 'complete',
      content: [],
      ttlMs: 5,
      _meta: { [INFO]: { name: 's' }, 'vendor/x': 1 },
      odd: 2,
    }
    expect(toLegacyResult('tools/call', result)).toEqual({ content: [], ttlMs: 5, _meta: { 'vendor/x': 1 }, odd: 2 })
    expect(result.resultType).toBe('complete')
  })

  it('of a read loses its caching, and metadata that would be empty', () => {
    const result = { resultType: 'complete', contents: [], ttlMs: 5, cacheScope: 'public', _meta: { [INFO]: {} } }
    expect(toLegacyResult('resources/read', result)).toEqual({ contents: [] })
  })
})
