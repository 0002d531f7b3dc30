import {
  createMissingCapabilityError,
  createUnsupportedVersionError,
  isModernError,
  MODERN_ERROR,
  readSupportedVersions,
} from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

describe('a modern error', () => {
  it('has one of the three codes that no legacy server knows', () => {
    expect(MODERN_ERROR).toEqual({
      headerMismatch: -32020,
      missingClientCapability: -32021,
      unsupportedProtocolVersion: -32022,
    })
    for (const code of Object.values(MODERN_ERROR)) expect(isModernError({ code, message: '' })).toBe(true)
  })

  it.each([-32601, -32602, -32000, -32002, -32042, 0])('is not one with code %i', (code) => {
    expect(isModernError({ code, message: 'm' })).toBe(false)
  })

  it('of a refused version names the versions to try', () => {
    const error = createUnsupportedVersionError('2099-01-01', ['2026-07-28'])
    expect(isModernError(error)).toBe(true)
    expect(readSupportedVersions(error)).toEqual(['2026-07-28'])
    expect(error.message).toContain('2099-01-01')
  })

  it('of a refused version may name none, or nonsense', () => {
    const code = MODERN_ERROR.unsupportedProtocolVersion
    expect(readSupportedVersions({ code, message: '' })).toEqual([])
    expect(readSupportedVersions({ code, message: '', data: { supported: [7, '2026-07-28'] } })).toEqual(['2026-07-28'])
    expect(readSupportedVersions({ code: -32602, data: { supported: ['2026-07-28'] } })).toEqual([])
  })

  it('of a missing capability names it', () => {
    expect(createMissingCapabilityError({ sampling: {} })).toMatchObject({
      code: -32021,
      message: expect.stringContaining('sampling'),
      data: { requiredCapabilities: { sampling: {} } },
    })
  })

  it.each(MALFORMED)('is never seen in, nor made to throw by, %j', (value) => {
    expect(isModernError(value)).toBe(false)
    expect(readSupportedVersions(value)).toEqual([])
  })
})
