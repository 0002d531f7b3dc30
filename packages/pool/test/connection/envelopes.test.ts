import { describe, expect, it } from 'vitest'
import { EnvelopeFactory } from '../../src/connection/envelopes.ts'
import { createCall } from '../helpers/upstream-harness.ts'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const factory = new EnvelopeFactory({ name: 'test', version: '1' }, { roots: {} })

describe('EnvelopeFactory', () => {
  it('makes one envelope for a caller, not one for a call', () => {
    const { caller } = createCall()
    const first = factory.create('2026-07-28', createCall({ caller }))
    expect(factory.create('2026-07-28', createCall({ caller }))).toBe(first)
    expect(factory.create('2026-07-28', createCall({ caller: { ...caller } }))).not.toBe(first)
    expect(factory.create('2026-07-28', undefined)).toBe(factory.create('2026-07-28', undefined))
  })

  it('makes one for each level that a caller asks for, as an agent of the gateway always does', () => {
    const { caller } = createCall()
    const create = (logLevel: 'info' | 'debug') => factory.create('2026-07-28', createCall({ caller, logLevel }))
    const first = create('info')
    expect(create('info')).toBe(first)
    expect(create('debug')).toEqual({ ...first, 'io.modelcontextprotocol/logLevel': 'debug' })
    expect(create('info')).toEqual(first)
  })

  it('keeps none of a modern caller, who is another one with every request', () => {
    const caller = { ...createCall().caller, era: 'modern' as const }
    const first = factory.create('2026-07-28', createCall({ caller }))
    expect(factory.create('2026-07-28', createCall({ caller }))).toEqual(first)
    expect(factory.create('2026-07-28', createCall({ caller }))).not.toBe(first)
  })

  it('offers what the caller can do, but no task of the modern era on behalf of a legacy one', () => {
    const tasks = { 'io.modelcontextprotocol/tasks': {} }
    const capabilities = { sampling: {}, extensions: { ...tasks, 'vendor.example/x': {} } }
    const offered = (era: 'legacy' | 'modern') =>
      factory.create('2026-07-28', createCall({ caller: { era, capabilities } }))[CAPABILITIES_KEY]
    expect(offered('modern')).toEqual(capabilities)
    expect(offered('legacy')).toEqual({ sampling: {}, extensions: { 'vendor.example/x': {} } })
  })

  it('follows the version of a server that speaks another one after its restart', () => {
    const call = createCall()
    for (const version of ['2026-07-28', '2027-01-01']) {
      expect(factory.create(version, call)[VERSION_KEY]).toBe(version)
      expect(factory.create(version, undefined)[VERSION_KEY]).toBe(version)
    }
  })
})
