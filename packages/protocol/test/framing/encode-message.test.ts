import { createNotification, createRequest, createSuccess } from '@switchboard/protocol'
import { encodeMessage } from '@switchboard/protocol/framing'
import { describe, expect, it } from 'vitest'

const circle: { [key: string]: unknown } = {}
circle.self = circle
const throwing = {
  toJSON(): never {
    throw new Error('no text of mine')
  },
}

describe('a message that cannot be written', () => {
  it.each([
    ['a circle', circle],
    ['what throws', throwing],
  ])('fails its request, for %s in an answer', (_, value) => {
    expect(JSON.parse(encodeMessage(createSuccess(7, { value })))).toMatchObject({
      id: 7,
      error: {
        code: -32000,
        message: expect.stringContaining('cannot be written'),
        data: { meta: { requestId: '7' } },
      },
    })
  })

  it('is told in its place when nobody waits for it', () => {
    expect(JSON.parse(encodeMessage(createNotification('notifications/progress', { circle })))).toMatchObject({
      method: 'notifications/message',
      params: { level: 'error', data: expect.stringContaining('notifications/progress') },
    })
  })

  it('is thrown to whoever makes a request of it', () => {
    expect(() => encodeMessage(createRequest(1, 'tools/call', { circle }))).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('tools/call') }),
    )
  })

  it('is written as ever when it can be, integers of any length included', () => {
    expect(encodeMessage(createSuccess(9007199254740993n, { n: 1n }))).toBe(
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{"n":1}}',
    )
    expect(encodeMessage(createSuccess('a', { b: [1] }))).toBe('{"jsonrpc":"2.0","id":"a","result":{"b":[1]}}')
  })
})
