import {
  createDiscoverParams,
  createRequestEnvelope,
  isDiscoverResult,
  META_KEY,
  readServerInfo,
} from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const result = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }

describe('server/discover', () => {
  it('is asked with an envelope alone', () => {
    const envelope = createRequestEnvelope({ version: '2026-07-28', capabilities: {} })
    expect(createDiscoverParams(envelope)).toEqual({ _meta: envelope })
  })

  it('is known by versions and capabilities, whatever else the result holds', () => {
    expect(isDiscoverResult(result)).toBe(true)
    expect(isDiscoverResult({ ...result, resultType: 'complete', ttlMs: 0, instructions: 'i', later: 1 })).toBe(true)
  })

  it.each([
    { supportedVersions: ['2026-07-28'] },
    { ...result, supportedVersions: [7] },
    { ...result, supportedVersions: '2026-07-28' },
    { ...result, capabilities: [] },
    { ...result, instructions: 7 },
    { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'n', version: '1' } },
  ])('is not %j', (value) => {
    expect(isDiscoverResult(value)).toBe(false)
  })

  it('tells the name of the server in its _meta', () => {
    const info = { name: 'server', version: '2', title: 'S' }
    expect(readServerInfo({ ...result, _meta: { [META_KEY.serverInfo]: info } })).toEqual(info)
    expect(readServerInfo({ ...result, _meta: { [META_KEY.serverInfo]: { name: 'server' } } })).toBeUndefined()
  })

  it.each(MALFORMED)('never throws: %j', (value) => {
    expect(isDiscoverResult(value)).toBe(false)
    expect(readServerInfo(value)).toBeUndefined()
  })
})
