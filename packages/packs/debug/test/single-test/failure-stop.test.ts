import { describe, expect, it } from 'vitest'
import type { Frame } from '../../src/engine/debug-session.ts'
import { isFailureStop, isHandledAt } from '../../src/single-test/failure-stop.ts'

const TEXT = `function f(q) {
  try {
    if (q) throw new Error('} catch {')
  } catch {
    throw new Error('second')
  }
  try {
    g()
  } finally {
    h()
  }
}
assert.throws(() => f(1))
`

const library: Frame = { id: 1, name: 'equal', isUser: false }
const own: Frame = { id: 2, name: 'f', isUser: true }

describe('isHandledAt', () => {
  it.each([
    [3, true],
    [5, false],
    [8, false],
    [13, true],
    [99, false],
  ])('knows at line %i whether an exception is handled there: %s', (line, expected) => {
    expect(isHandledAt(TEXT, line)).toBe(expected)
  })
})

describe('isFailureStop', () => {
  it('takes assertions of a library, and exceptions of own code', () => {
    expect(isFailureStop({ type: 'AssertionError', message: '' }, [library, own])).toBe(true)
    expect(isFailureStop({ type: 'TypeError', message: '' }, [own, library])).toBe(true)
  })

  it('leaves out what libraries throw among themselves', () => {
    expect(isFailureStop({ type: 'TypeError', message: '' }, [library, own])).toBe(false)
    expect(isFailureStop({ type: 'AssertionError', message: '' }, [library])).toBe(false)
    expect(isFailureStop(undefined, [])).toBe(false)
  })
})
