import {
  createErrorEnvelope,
  ERROR_CODES,
  formatFailure,
  fromJsonRpcError,
  fromToolErrorResult,
  readErrorEnvelope,
  SwitchboardError,
  toJsonRpcError,
  toToolErrorResult,
  toToolResult,
} from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const meta = { requestId: '7', traceId: 'a'.repeat(32), tool: 'web_fetch', provider: 'web', durationMs: 3 }

function sendOverTheWire<T>(value: T): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('the result of a failed tool call', () => {
  it('says code, message and hint in its text and everything in its structured content', () => {
    const error = new SwitchboardError('timeout', 'No answer within 90 s', { retryAfterMs: 5, details: { budget: 90 } })
    expect(toToolErrorResult(error, meta)).toEqual({
      isError: true,
      content: [{ type: 'text', text: `[timeout] No answer within 90 s. ${error.hint}` }],
      structuredContent: {
        ok: false,
        type: 'error',
        error: {
          code: 'timeout',
          category: 'timeout',
          message: 'No answer within 90 s',
          hint: error.hint,
          executed: 'unknown',
          retryable: true,
          retryAfterMs: 5,
          details: { budget: 90 },
        },
        meta,
      },
    })
  })

  it('names the request as text, whatever the client numbers it with', () => {
    expect(createErrorEnvelope(new SwitchboardError('timeout', 'm'), { ...meta, requestId: 7 }).meta).toEqual(meta)
    expect(createErrorEnvelope(new SwitchboardError('timeout', 'm')).meta).toEqual({})
  })

  it.each([
    ['Gone', '[timeout] Gone. Wait'],
    ['Gone.', '[timeout] Gone. Wait'],
    ['Gone?', '[timeout] Gone? Wait'],
    ['', '[timeout] Wait'],
  ])('ends the message %j with one full stop', (message, expected) => {
    expect(formatFailure(new SwitchboardError('timeout', message, { hint: 'Wait' }))).toBe(expected)
  })

  it('holds neither a stack nor a cause', () => {
    const error = new SwitchboardError('internal', 'm', {
      cause: new Error('secret'),
      details: { inner: new Error('seen') },
    })
    const text = JSON.stringify(toToolErrorResult(error, meta))
    expect(text).not.toMatch(/secret|\.test\.ts|"stack"|"cause"/)
    expect(text).toContain('seen')
  })

  it('can be written whatever the details hold', () => {
    const details: Record<string, unknown> = { big: 1n, gone: undefined }
    details.self = details
    const result = sendOverTheWire(toToolErrorResult(new SwitchboardError('internal', 'm', { details }), meta))
    expect(result).toMatchObject({ structuredContent: { error: { details: { big: '1', self: '[circular]' } } } })
  })
})

describe('the result of a tool of ours', () => {
  const whole = { ...meta, timestamp: '2026-01-02T00:00:00.000Z' }

  it('says its text to the model, and everything in its structured content', () => {
    expect(toToolResult('It is 5.', { value: 5 }, whole)).toEqual({
      content: [{ type: 'text', text: 'It is 5.' }],
      structuredContent: { ok: true, type: 'success', data: { value: 5 }, meta: whole },
    })
  })

  it('has no data where there is none', () => {
    expect(toToolResult('Cut.', undefined, whole).structuredContent).toEqual({ ok: true, type: 'success', meta: whole })
  })
})

describe('a code', () => {
  it.each(ERROR_CODES)('%s survives a hop as a JSON-RPC error and as a tool result', (code) => {
    const error = new SwitchboardError(code, 'what happened', {
      hint: 'an exact hint',
      executed: true,
      retryable: true,
      retryAfterMs: 1500,
      details: { server: 'web' },
    })
    const received = [
      fromJsonRpcError(sendOverTheWire(toJsonRpcError(error, meta))),
      fromToolErrorResult(sendOverTheWire(toToolErrorResult(error, meta))),
    ]
    for (const each of received) expect(each?.toReport()).toEqual(error.toReport())
  })

  it('of a later version is kept as an error of that server', () => {
    const data = createErrorEnvelope(new SwitchboardError('timeout', 'm'))
    const later = { ...data, error: { ...data.error, code: 'from_the_future' } }
    const error = fromJsonRpcError({ code: -32000, message: 'm', data: later })
    expect(error.code).toBe('upstream_error')
    expect(toJsonRpcError(error)).toEqual({ code: -32000, message: 'm', data: later })
  })

  it.each(['executed', 'retryable', 'retryAfterMs', 'hint', 'details'])(
    'falls back to the catalogue for a wrong %s',
    (key) => {
      const envelope = createErrorEnvelope(new SwitchboardError('timeout', 'm'))
      const read = readErrorEnvelope({ ...envelope, error: { ...envelope.error, [key]: Symbol.for('wrong') } })
      expect(read?.toReport()).toEqual(new SwitchboardError('timeout', 'm').toReport())
    },
  )
})

describe("an upstream's own error", () => {
  it.each([
    { code: -32602, message: 'No such resource', data: { uri: 'x' } },
    { code: -32042, message: 'Visit this page', data: { elicitations: [] } },
    { code: 7, message: '', data: null },
    { code: -1, message: 'plain' },
  ])('passes unchanged: %j', (rpc) => {
    const error = fromJsonRpcError(rpc)
    expect(error.code).toBe('upstream_error')
    expect(error.message).not.toBe('')
    expect(error.details.rpc).toEqual(rpc)
    expect(toJsonRpcError(error, meta)).toEqual(rpc)
    expect(toJsonRpcError(fromJsonRpcError(sendOverTheWire(toJsonRpcError(error))))).toEqual(rpc)
  })

  it('gives its own message to the error', () => {
    expect(fromJsonRpcError({ code: -32602, message: 'No such resource' }).message).toBe('No such resource')
  })

  it('is inside the envelope of a tool result', () => {
    const rpc = { code: -32602, message: 'No such resource', data: { uri: 'x' } }
    const result = sendOverTheWire(toToolErrorResult(fromJsonRpcError(rpc), meta))
    expect(fromToolErrorResult(result)?.details.rpc).toEqual(rpc)
  })

  it.each(MALFORMED)('is a bad response when it is %j', (value) => {
    expect(fromJsonRpcError(value).code).toBe('bad_response')
  })
})

describe('the readers of an envelope', () => {
  it.each(MALFORMED)('find none in %j', (value) => {
    expect(readErrorEnvelope(value)).toBeUndefined()
    expect(fromToolErrorResult(value)).toBeUndefined()
  })

  it('leave a result alone that is no error, or not of a Switchboard', () => {
    const envelope = createErrorEnvelope(new SwitchboardError('timeout', 'm'))
    expect(fromToolErrorResult({ content: [], structuredContent: envelope })).toBeUndefined()
    expect(fromToolErrorResult({ content: [], isError: true })).toBeUndefined()
  })
})
