import { describe, expect, test } from 'vitest'
import { toSkipPatterns } from '../../src/inspector/skip-patterns.ts'

function skips(globs: readonly unknown[], url: string): boolean {
  return toSkipPatterns(globs).some((pattern) => new RegExp(pattern).test(url))
}

describe('skipFiles', () => {
  test.each([
    ['<node_internals>/**', 'node:internal/timers', true],
    ['<node_internals>/**', 'file:///project/app.js', false],
    ['/project/lib/**', 'file:///project/lib/a/b.js', true],
    ['/project/lib/**/*.js', 'file:///project/lib/b.js', true],
    ['/project/lib/**/*.js', '/project/lib/a/b.js', true],
    ['/project/lib/**', 'file:///other/project/lib/b.js', false],
    ['/project/lib/*.js', 'file:///project/lib/a/b.js', false],
    ['**/vendor/*.js', 'file:///project/vendor/x.js', true],
    ['/project/a+b (c).js', 'file:///project/a+b (c).js', true],
  ])('with %s has %s: %s', (glob, url, expected) => {
    expect(skips([glob], url)).toBe(expected)
  })

  test('leaves out what is no pattern', () => {
    expect(toSkipPatterns(['!**/mine/**', 7, null])).toEqual([])
    expect(toSkipPatterns('x')).toEqual([])
  })
})
