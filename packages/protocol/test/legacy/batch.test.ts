import { LEGACY_VERSIONS } from '@switchboard/protocol'
import { findBatchError, hasBatches, splitBatch } from '@switchboard/protocol/legacy'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const message = { jsonrpc: '2.0', method: 'notifications/initialized' }

describe('a batch', () => {
  it('exists in one revision only', () => {
    expect(LEGACY_VERSIONS.filter(hasBatches)).toEqual(['2025-03-26'])
    expect(hasBatches('2026-07-28')).toBe(false)
  })

  it('is split into its messages, in order', () => {
    expect(splitBatch([message, { id: 1 }])).toEqual([message, { id: 1 }])
  })

  it('may be a single message', () => {
    expect(splitBatch(message)).toEqual([message])
    expect(findBatchError(message)).toBeUndefined()
  })

  it.each([[[]], [[message, [message]]]])('is refused when it is empty or nested: %j', (value) => {
    expect(findBatchError(value)).toMatchObject({ code: -32600 })
  })

  it('is refused as a whole when it is long: each would be answered before anybody else has a turn', () => {
    expect(findBatchError(Array.from({ length: 100 }, () => message))).toBeUndefined()
    expect(findBatchError(Array.from({ length: 101 }, () => 1))).toMatchObject({ code: -32600 })
  })

  it('may hold messages that are wrong: each is answered by itself', () => {
    expect(findBatchError([message, null, 7])).toBeUndefined()
  })

  it.each(MALFORMED)('never makes a reader throw: %j', (value) => {
    expect(() => [splitBatch(value), findBatchError(value)]).not.toThrow()
  })
})
