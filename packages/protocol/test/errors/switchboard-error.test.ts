import {
  ERROR_CATALOGUE,
  ERROR_CODES,
  HTTP_STATUS,
  SwitchboardError,
  toSwitchboardError,
} from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'

describe('a SwitchboardError', () => {
  it.each(ERROR_CODES)('%s takes what it is not told from the catalogue', (code) => {
    const error = new SwitchboardError(code, 'm')
    const { category, hint, executed, retryable, rpcCode } = ERROR_CATALOGUE[code]
    expect(error).toMatchObject({ code, category, hint, executed, retryable, rpcCode, retryAfterMs: null, details: {} })
    expect(error.httpStatus).toBe(HTTP_STATUS[category])
  })
})

describe('toSwitchboardError', () => {
  it('leaves one of ours as it is', () => {
    const error = new SwitchboardError('timeout', 'm')
    expect(toSwitchboardError(error)).toBe(error)
  })

  it.each([new TypeError('x is not a function'), 'text', undefined, null, { code: 'timeout' }])(
    'blames us for %s',
    (thrown) => {
      expect(toSwitchboardError(thrown)).toMatchObject({ code: 'internal', family: 'ours' })
      expect(toSwitchboardError(thrown).cause).toBe(thrown)
    },
  )
})
