import { createNotification } from '@switchboard/protocol'
import {
  ACKNOWLEDGED_METHOD,
  createAcknowledgedParams,
  createListenParams,
  createRequestEnvelope,
  isAcknowledged,
  META_KEY,
  readListenFilter,
  readSubscriptionId,
  withSubscriptionId,
} from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

describe('a listen request', () => {
  it('carries its filter beside the envelope', () => {
    const envelope = createRequestEnvelope({ version: '2026-07-28', capabilities: {} })
    const params = createListenParams({ toolsListChanged: true }, envelope)
    expect(params).toEqual({ notifications: { toolsListChanged: true }, _meta: envelope })
    expect(readListenFilter(params)).toEqual({ toolsListChanged: true })
  })

  it('is read without what is false, repeated or of the wrong type', () => {
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: false,
      resourcesListChanged: 'yes',
      resourceSubscriptions: ['a', 7, 'a', 'b'],
      taskIds: 'all',
    }
    expect(readListenFilter({ notifications })).toEqual({ toolsListChanged: true, resourceSubscriptions: ['a', 'b'] })
  })
})

describe('an acknowledgement', () => {
  it.each([7, 'seven', 0, ''])('names the listen request, whose id may be %j', (id) => {
    const message = createNotification(ACKNOWLEDGED_METHOD, {
      ...createAcknowledgedParams(id, { toolsListChanged: true }),
    })
    expect(isAcknowledged(message)).toBe(true)
    expect(readSubscriptionId(message.params)).toBe(id)
    expect(readListenFilter(message.params)).toEqual({ toolsListChanged: true })
  })

  it.each([
    createNotification(ACKNOWLEDGED_METHOD),
    createNotification(ACKNOWLEDGED_METHOD, { notifications: {} }),
    createNotification(ACKNOWLEDGED_METHOD, { _meta: { [META_KEY.subscriptionId]: 1 } }),
    createNotification('notifications/tools/list_changed', { ...createAcknowledgedParams(1, {}) }),
  ])('is not %j', (message) => {
    expect(isAcknowledged(message)).toBe(false)
  })
})

describe('a notification of a subscription', () => {
  it('is marked with its id and keeps the rest', () => {
    const params = withSubscriptionId({ uri: 'file:///a', _meta: { other: 1 } }, 'l1')
    expect(params).toEqual({ uri: 'file:///a', _meta: { other: 1, [META_KEY.subscriptionId]: 'l1' } })
  })

  it.each(MALFORMED)('never makes a reader throw: %j', (value) => {
    expect(isAcknowledged(value)).toBe(false)
    expect(readSubscriptionId(value)).toBeUndefined()
    expect(() => readListenFilter(value)).not.toThrow()
  })
})
