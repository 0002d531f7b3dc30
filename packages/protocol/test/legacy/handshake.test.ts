import { LEGACY_VERSIONS } from '@switchboard/protocol'
import { createInitializeParams, readInitializeParams, readInitializeResult } from '@switchboard/protocol/legacy'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const clientInfo = { name: 'switchboard', version: '0.1.0' }
const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }

describe('the parameters of initialize', () => {
  it('are read as they were made', () => {
    const params = createInitializeParams({ version: '2025-11-25', capabilities: { roots: {} }, clientInfo })
    expect(params).toEqual({ protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo })
    expect(readInitializeParams(params)).toEqual({ ok: true, params })
  })

  it('may ask for a version nobody knows', () => {
    expect(readInitializeParams({ protocolVersion: '1999-01-01' })).toMatchObject({ ok: true })
  })

  it.each([
    ['protocolVersion', { protocolVersion: 7 }],
    ['capabilities', { protocolVersion: '2025-11-25', capabilities: 'all' }],
    ['clientInfo', { protocolVersion: '2025-11-25', clientInfo: ['me'] }],
  ])('are refused for a wrong %s', (member, params) => {
    expect(readInitializeParams(params)).toMatchObject({ ok: false, reason: expect.stringContaining(member) })
  })
})

describe('the result of initialize', () => {
  it.each(LEGACY_VERSIONS)('may be of version %s', (protocolVersion) => {
    expect(readInitializeResult({ ...result, protocolVersion })).toMatchObject({
      ok: true,
      result: { protocolVersion },
    })
  })

  it('keeps instructions and members we do not know', () => {
    const full = { ...result, instructions: 'Be kind.', later: { x: 1 } }
    expect(readInitializeResult(full)).toEqual({ ok: true, result: full })
  })

  it('is completed where servers are known to leave something out', () => {
    expect(
      readInitializeResult({ protocolVersion: '2024-11-05', serverInfo: { name: 's' }, instructions: null }),
    ).toEqual({
      ok: true,
      result: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: 'unknown' } },
    })
  })

  it.each([
    ['missing', {}],
    ['2026-07-28', { ...result, protocolVersion: '2026-07-28' }],
    ['1999-01-01', { ...result, protocolVersion: '1999-01-01' }],
    ['capabilities is a list', { ...result, capabilities: [] }],
    ['serverInfo is a string', { ...result, serverInfo: 'me' }],
    ['is null, not an object', null],
  ])('is refused with a reason that says: %s', (words, value) => {
    expect(readInitializeResult(value)).toMatchObject({ ok: false, reason: expect.stringContaining(words) })
  })

  it.each(MALFORMED)('never makes a reader throw: %j', (value) => {
    expect(readInitializeResult(value).ok).toBe(false)
    expect(readInitializeParams(value).ok).toBe(false)
  })
})
