import { countFreeHandles, readFileLimit } from '@switchboard/base'
import { describe, expect, it } from 'vitest'
import { parseLimits } from '../src/file-handles.ts'

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             127234               127234               processes
Max open files            1024                 524288               files
Max locked memory         8388608              8388608              bytes
`

describe('the limit of open files', () => {
  it('is the soft one of what Linux tells', () => {
    expect(parseLimits(LIMITS)).toBe(1024)
    expect(parseLimits(LIMITS.replace('1024  ', 'unlimited'))).toBeUndefined()
    expect(parseLimits('')).toBeUndefined()
  })

  it.skipIf(process.platform === 'win32')('is that of this process, as Node itself tells it', () => {
    // The types of Node say no more than that it is an object.
    const { userLimits } = process.report.getReport() as unknown as { userLimits: { open_files: { soft: unknown } } }
    expect(readFileLimit()).toBe(userLimits.open_files.soft)
  })

  it('leaves some, or more than anybody counts', () => {
    expect(countFreeHandles() ?? Number.POSITIVE_INFINITY).toBeGreaterThan(0)
  })
})
