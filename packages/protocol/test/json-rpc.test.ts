import { classifyMessage, createFailure, createNotification, createRequest, createSuccess } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from './helpers/malformed.ts'

describe('classifyMessage', () => {
  it.each([
    ['request', createRequest(1, 'ping')],
    ['request', createRequest('a', 'tools/call', { name: 'x' })],
    ['notification', createNotification('notifications/initialized')],
    ['response', createSuccess(0, {})],
    ['response', createFailure(null, { code: -32700, message: 'no JSON' })],
    ['response', { id: 1, result: {} }],
    ['invalid', { id: null, method: 'ping' }],
    ['invalid', { id: 1 }],
    ['response', { id: 1, result: 'text' }],
    ['response', { id: 1, result: null }],
    ['response', { id: 1, result: [] }],
    ['response', { id: 1, error: 'text' }],
    ['invalid', { id: 1, method: 5, result: {} }],
    ['invalid', { id: null, error: 'text' }],
    ['invalid', { id: null, result: {} }],
  ])('calls it a %s: %j', (kind, message) => {
    expect(classifyMessage(message)).toBe(kind)
  })

  it('takes integers of any length for ids', () => {
    expect(classifyMessage(createRequest(9007199254740993n, 'ping'))).toBe('request')
  })

  it.each(MALFORMED)('never throws: %j', (value) => {
    expect(classifyMessage(value)).toBe('invalid')
  })
})

describe('messages', () => {
  it('have no params member where there are none', () => {
    expect(createRequest(1, 'ping')).toEqual({ jsonrpc: '2.0', id: 1, method: 'ping' })
    expect('params' in createNotification('notifications/initialized')).toBe(false)
  })
})
