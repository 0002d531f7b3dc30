import { createInstanceId, createTraceId, createTraceparent, isInstanceId, readTraceId } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'

describe('instance ids', () => {
  it('are four characters of base-36 time, a dash and six hex digits', () => {
    expect(createInstanceId()).toMatch(/^[0-9a-z]{4}-[0-9a-f]{6}$/)
  })

  it('differ at every activation, even within one millisecond', () => {
    const ids = new Set(Array.from({ length: 1000 }, () => createInstanceId(1_700_000_000_000)))
    expect(ids.size).toBeGreaterThan(990)
  })

  it.each(['', 'default', 'tt79-6f854', 'TT79-6f854d', 'tt79-6f854dd', 42, undefined])('rejects %j', (value) => {
    expect(isInstanceId(value)).toBe(false)
  })
})

describe('trace ids', () => {
  it('travel in a traceparent and come back out of it', () => {
    const traceId = createTraceId()
    expect(readTraceId(createTraceparent(traceId))).toBe(traceId)
  })

  it('are 32 hex digits each, all different, and use every digit', () => {
    const ids = Array.from({ length: 1_000 }, createTraceId)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids.join('')).size).toBe(16)
  })

  it.each(['', 'nonsense', `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, null])('are not read from %j', (value) => {
    expect(readTraceId(value)).toBeUndefined()
  })
})
