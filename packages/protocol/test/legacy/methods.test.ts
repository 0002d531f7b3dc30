import { LEGACY_VERSIONS } from '@switchboard/protocol'
import {
  isLegacyMethod,
  LEGACY_CLIENT_NOTIFICATIONS,
  LEGACY_CLIENT_REQUESTS,
  LEGACY_SERVER_NOTIFICATIONS,
  LEGACY_SERVER_REQUESTS,
} from '@switchboard/protocol/legacy'
import { describe, expect, it } from 'vitest'

describe('a legacy method', () => {
  it.each([
    ['tools/call', ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']],
    ['sampling/createMessage', ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']],
    ['elicitation/create', ['2025-11-25', '2025-06-18']],
    ['notifications/elicitation/complete', ['2025-11-25']],
    ['tasks/result', ['2025-11-25']],
    ['server/discover', []],
    ['constructor', []],
  ])('%s is known to %j', (method, expected) => {
    expect(LEGACY_VERSIONS.filter((version) => isLegacyMethod(method, version))).toEqual(expected)
  })

  it('is known to the last revision when it is in any list', () => {
    const all = [
      ...LEGACY_CLIENT_REQUESTS,
      ...LEGACY_SERVER_REQUESTS,
      ...LEGACY_CLIENT_NOTIFICATIONS,
      ...LEGACY_SERVER_NOTIFICATIONS,
    ]
    expect(all.filter((method) => !isLegacyMethod(method, '2025-11-25'))).toEqual([])
  })

  it('is a notification exactly when its name says so', () => {
    for (const method of [...LEGACY_CLIENT_REQUESTS, ...LEGACY_SERVER_REQUESTS]) {
      expect(method.startsWith('notifications/')).toBe(false)
    }
    for (const method of [...LEGACY_CLIENT_NOTIFICATIONS, ...LEGACY_SERVER_NOTIFICATIONS]) {
      expect(method.startsWith('notifications/')).toBe(true)
    }
  })
})
