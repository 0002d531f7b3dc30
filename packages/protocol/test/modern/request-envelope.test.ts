import { createRequestEnvelope, META_KEY, readRequestEnvelope, withRequestEnvelope } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const clientInfo = { name: 'agent', version: '1.0.0' }
const envelope = createRequestEnvelope({
  version: '2026-07-28',
  capabilities: { elicitation: { form: {} } },
  clientInfo,
})

describe('the keys of the envelope', () => {
  it('are the ones the protocol reserves', () => {
    expect(META_KEY).toEqual({
      protocolVersion: 'io.modelcontextprotocol/protocolVersion',
      clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
      clientInfo: 'io.modelcontextprotocol/clientInfo',
      logLevel: 'io.modelcontextprotocol/logLevel',
      serverInfo: 'io.modelcontextprotocol/serverInfo',
      subscriptionId: 'io.modelcontextprotocol/subscriptionId',
    })
  })
})

describe('createRequestEnvelope', () => {
  it('leaves out what is not given', () => {
    expect(Object.keys(createRequestEnvelope({ version: '2026-07-28', capabilities: {} }))).toEqual([
      META_KEY.protocolVersion,
      META_KEY.clientCapabilities,
    ])
  })
})

describe('withRequestEnvelope', () => {
  it('keeps the other members of _meta and of the parameters', () => {
    const params = withRequestEnvelope({ name: 'x', _meta: { progressToken: 7, traceparent: 't' } }, envelope)
    expect(params).toEqual({ name: 'x', _meta: { progressToken: 7, traceparent: 't', ...envelope } })
  })

  it('replaces the envelope of another hop, version and capabilities alike', () => {
    const before = createRequestEnvelope({ version: '2099-01-01', capabilities: { sampling: {} } })
    expect(withRequestEnvelope({ _meta: { ...before } }, envelope)._meta).toEqual(envelope)
  })

  it('changes neither the parameters nor their _meta, and copies no argument', () => {
    const meta = Object.freeze({ progressToken: 7 })
    const params = Object.freeze({ arguments: { big: [1] }, _meta: meta })
    const enveloped = withRequestEnvelope(params, envelope)
    expect(enveloped.arguments).toBe(params.arguments)
    expect(meta).toEqual({ progressToken: 7 })
  })

  it.each([undefined, {}, { _meta: null }, { _meta: 'text' }])('makes a _meta where %j has none', (params) => {
    expect(withRequestEnvelope(params, envelope)._meta).toEqual(envelope)
  })
})

describe('readRequestEnvelope', () => {
  it('reads what createRequestEnvelope wrote', () => {
    const full = { version: '2026-07-28', capabilities: {}, clientInfo, logLevel: 'debug' } as const
    expect(readRequestEnvelope(withRequestEnvelope({}, createRequestEnvelope(full)))).toEqual({
      ok: true,
      envelope: full,
    })
  })

  it('does without a client name and a log level', () => {
    const params = withRequestEnvelope({}, createRequestEnvelope({ version: '2026-07-28', capabilities: {} }))
    expect(readRequestEnvelope(params)).toEqual({ ok: true, envelope: { version: '2026-07-28', capabilities: {} } })
  })

  it('passes a version on that nobody knows: to refuse it is for the server', () => {
    const reading = readRequestEnvelope(
      withRequestEnvelope({}, createRequestEnvelope({ version: '2099-01-01', capabilities: {} })),
    )
    expect(reading.ok && reading.envelope.version).toBe('2099-01-01')
  })

  it('calls a request without any of it a legacy one', () => {
    expect(readRequestEnvelope({ _meta: { progressToken: 1 } })).toMatchObject({ ok: false, present: false })
  })

  it.each([
    [META_KEY.clientCapabilities, { [META_KEY.protocolVersion]: '2026-07-28' }],
    [META_KEY.protocolVersion, { [META_KEY.clientCapabilities]: {} }],
    [META_KEY.protocolVersion, { ...envelope, [META_KEY.protocolVersion]: 20260728 }],
    [META_KEY.clientCapabilities, { ...envelope, [META_KEY.clientCapabilities]: [] }],
    [META_KEY.clientInfo, { ...envelope, [META_KEY.clientInfo]: { name: 'x' } }],
    [META_KEY.logLevel, { ...envelope, [META_KEY.logLevel]: 'loud' }],
  ])('names %s when that is wrong', (key, _meta) => {
    const reading = readRequestEnvelope({ _meta })
    expect(reading).toMatchObject({ ok: false, present: true, reason: expect.stringContaining(key) })
  })

  it.each(MALFORMED)('never throws: %j', (value) => {
    expect(readRequestEnvelope(value).ok).toBe(false)
  })
})
