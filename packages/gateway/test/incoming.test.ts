import { describe, expect, it } from 'vitest'
import { type IncomingRequest, judge, readIncoming } from '../src/incoming.ts'

/** What every request has besides. */
const READ = { traceId: expect.stringMatching(/^[0-9a-f]{32}$/), begun: expect.any(Number) }

describe('a message is judged once', () => {
  it.each([
    [
      { id: 1, method: 'm', params: { a: 1 } },
      { kind: 'request', id: 1, method: 'm', params: { a: 1 }, ...READ },
    ],
    [
      { id: 'x', method: 'm' },
      { kind: 'request', id: 'x', method: 'm', params: {}, ...READ },
    ],
    [
      { id: 1, method: 'm', params: [1] },
      { kind: 'request', id: 1, method: 'm', params: {}, ...READ },
    ],
    [
      { method: 'm', params: { a: 1 } },
      { kind: 'notification', method: 'm', params: { a: 1 } },
    ],
    [
      { id: 1, result: { a: 1 } },
      { kind: 'response', id: 1, result: { a: 1 }, error: undefined },
    ],
    [
      { id: null, error: { code: 1 } },
      { kind: 'response', id: null, result: undefined, error: { code: 1 } },
    ],
    [{ id: 1 }, { kind: 'invalid', id: 1, begun: READ.begun }],
    [
      { id: {}, method: 'm' },
      { kind: 'invalid', id: null, begun: READ.begun },
    ],
    ['text', { kind: 'invalid', id: null, begun: READ.begun }],
    [null, { kind: 'invalid', id: null, begun: READ.begun }],
    [[{ id: 1, method: 'm' }, 2], { kind: 'batch', members: [{ id: 1, method: 'm' }, 2] }],
  ])('%j', (value, verdict) => {
    expect(judge(value)).toEqual(verdict)
  })
})

describe('text from outside', () => {
  it('is read and judged', () => {
    expect(readIncoming('{"id":1,"method":"m"}', 4)).toEqual({
      kind: 'request',
      id: 1,
      method: 'm',
      params: {},
      ...READ,
    })
  })

  it('that is no JSON has its answer with it, which quotes nothing of it', () => {
    const incoming = readIncoming('{"secret": tok-123}', 4)
    expect(incoming).toMatchObject({
      kind: 'unreadable',
      answer: { id: null, error: { code: -32700, data: { error: { code: 'invalid_request' } } } },
    })
    expect(JSON.stringify(incoming)).not.toContain('tok-123')
  })

  it('that is nested too deep is refused before it is parsed', () => {
    expect(readIncoming('[[[[1]]]]', 3)).toMatchObject({
      kind: 'unreadable',
      answer: { error: { code: -32600, message: 'The message is nested deeper than 3 levels' } },
    })
  })
})

it('a request goes on with the trace of its caller, or begins one', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  // A request, by its members.
  const traceOf = (params: object) => (judge({ id: 1, method: 'm', params }) as IncomingRequest).traceId
  expect(traceOf({ _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })).toBe(traceId)
  expect(traceOf({ _meta: { traceparent: 'nonsense' } })).toMatch(/^[0-9a-f]{32}$/)
  expect(traceOf({})).toMatch(/^[0-9a-f]{32}$/)
})
