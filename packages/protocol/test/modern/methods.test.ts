import { isLegacyMethod } from '@switchboard/protocol/legacy'
import {
  INPUT_REQUIRED_METHODS,
  isModernRequest,
  MODERN_NOTIFICATIONS,
  MODERN_REQUESTS,
  REMOVED_IN_MODERN,
} from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'

const modern: readonly string[] = [...MODERN_REQUESTS, ...MODERN_NOTIFICATIONS]

describe('the modern methods', () => {
  it('hold none of the removed ones', () => {
    expect(REMOVED_IN_MODERN.filter((method) => modern.includes(method) || isModernRequest(method))).toEqual([])
  })

  it('removed only what the last legacy revision had', () => {
    expect(REMOVED_IN_MODERN.filter((method) => !isLegacyMethod(method, '2025-11-25'))).toEqual([])
  })

  it('added only discovery and subscriptions', () => {
    expect(modern.filter((method) => !isLegacyMethod(method, '2025-11-25'))).toEqual([
      'server/discover',
      'subscriptions/listen',
      'notifications/subscriptions/acknowledged',
    ])
  })

  it('include those that may ask back', () => {
    for (const method of INPUT_REQUIRED_METHODS) expect(isModernRequest(method)).toBe(true)
  })

  it.each(['ping', 'initialize', 'notifications/progress', 'constructor', ''])(
    'do not include a request %j',
    (method) => {
      expect(isModernRequest(method)).toBe(false)
    },
  )
})
