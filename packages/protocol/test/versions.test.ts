import { isLegacyVersion, isModernVersion, LATEST_LEGACY_VERSION, LATEST_MODERN_VERSION } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'

describe('a version', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('%s is legacy', (version) => {
    expect([isLegacyVersion(version), isModernVersion(version)]).toEqual([true, false])
  })

  it('2026-07-28 is modern', () => {
    expect([isLegacyVersion('2026-07-28'), isModernVersion('2026-07-28')]).toEqual([false, true])
  })

  it.each(['', '2023-01-01', 20251125, null, undefined, ['2025-11-25']])('%j is neither', (version) => {
    expect([isLegacyVersion(version), isModernVersion(version)]).toEqual([false, false])
  })

  it('is the newest of its era where the latest is asked for', () => {
    expect([LATEST_LEGACY_VERSION, LATEST_MODERN_VERSION]).toEqual(['2025-11-25', '2026-07-28'])
  })
})
