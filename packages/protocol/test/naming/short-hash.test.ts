import { createShortHash } from '@switchboard/protocol/naming'
import { describe, expect, it } from 'vitest'

describe('createShortHash', () => {
  it('is pinned: names that agents have seen must not change between versions', () => {
    expect(createShortHash('')).toBe('ab3e7c0b')
    expect(createShortHash('shell\0tools_run')).toBe('c85f7cc4')
  })

  it('is always eight hex digits', () => {
    for (let index = 0; index < 2000; index++) expect(createShortHash(`name ${index}`)).toMatch(/^[0-9a-f]{8}$/)
  })

  it('tells ten thousand similar texts apart but for the odd pair', () => {
    const hashes = new Set(Array.from({ length: 10_000 }, (_, index) => createShortHash(`tool_${index}`)))
    expect(hashes.size).toBeGreaterThan(9_995)
  })

  it('uses both bytes of a character', () => {
    expect(createShortHash('\u0100')).not.toBe(createShortHash('\u0200'))
  })
})
