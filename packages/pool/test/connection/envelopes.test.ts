import { describe, expect, it } from 'vitest'
import { EnvelopeFactory } from '../../src/connection/envelopes.ts'
import { createCall } from '../helpers/upstream-harness.ts'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const factory = new EnvelopeFactory({ name: 'test', version: '1' }, { roots: {} })

describe('EnvelopeFactory', () => {
  it('makes one envelope for a caller, not one for a call', () => {
    const { caller } = createCall()
    const first = factory.create('2026-07-28', createCall({ caller }))
    expect(factory.create('2026-07-28', createCall({ caller }))).toBe(first)
    expect(factory.create('2026-07-28', createCall({ caller: { ...caller } }))).not.toBe(first)
    expect(factory.create('2026-07-28', undefined)).toBe(factory.create('2026-07-28', undefined))
  })

  it('follows the version of a server that speaks another one after its restart', () => {
    const call = createCall()
    for (const version of ['2026-07-28', '2027-01-01']) {
      expect(factory.create(version, call)[VERSION_KEY]).toBe(version)
      expect(factory.create(version, undefined)[VERSION_KEY]).toBe(version)
    }
  })
})
