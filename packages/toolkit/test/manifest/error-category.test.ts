import { describe, expect, it } from 'vitest'
import { categoryOf } from '../../src/manifest/error-category.ts'

describe('the category of a code', () => {
  it.each([
    ['E_NOT_FOUND', 'not_found'],
    ['E_FILE_NOT_FOUND', 'not_found'],
    ['E_INVALID_LINE', 'validation'],
    ['E_BREAKPOINT_INVALID', 'validation'],
    ['E_UNSUPPORTED_LANGUAGE', 'validation'],
    ['E_OUTSIDE_WORKSPACE', 'forbidden'],
    ['E_FILE_EXISTS', 'conflict'],
    ['E_STALE_REFERENCE', 'conflict'],
    ['E_TIMEOUT', 'timeout'],
    ['E_PICKUP_TIMEOUT', 'timeout'],
    ['E_CANCELLED', 'cancelled'],
    ['E_INTERNAL', 'internal'],
    ['E_ADAPTER_MISSING', 'unavailable'],
    ['E_BRIDGE_UNAVAILABLE', 'unavailable'],
    ['E_LAUNCH_FAILED', 'unavailable'],
    ['E_CAPACITY', 'unavailable'],
    ['E_NO_SESSION', 'precondition'],
    ['E_NOT_PAUSED', 'precondition'],
  ])('%s is %s by its name', (code, category) => {
    expect(categoryOf(code)).toBe(category)
  })

  it('of the catalogue is what the catalogue says', () => {
    expect(categoryOf('unknown_mode')).toBe('not_found')
    expect(categoryOf('invalid_arguments')).toBe('validation')
  })
})
