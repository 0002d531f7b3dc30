import { describe, expect, it } from 'vitest'
import { createToolFilter, isGlob } from '../../src/naming/tool-filter.ts'

function matches(glob: string, name: string): boolean {
  return createToolFilter({ allow: [glob], deny: [] })(name)
}

describe('createToolFilter', () => {
  it('lets everything through without rules', () => {
    expect(createToolFilter({ allow: [], deny: [] })('anything')).toBe(true)
  })

  it('lets deny win over allow', () => {
    const passes = createToolFilter({ allow: ['read_*', 'write_file'], deny: ['*_secret', 'WRITE*'] })
    expect(passes('read_file')).toBe(true)
    expect(passes('read_secret')).toBe(false)
    expect(passes('write_file')).toBe(false)
    expect(passes('delete')).toBe(false)
  })

  it.each([
    ['*', '', true],
    ['*', 'x', true],
    ['**', 'x', true],
    ['?', 'x', true],
    ['?', '', false],
    ['?', 'é', true],
    ['?', '🙂', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a*c', 'ac', true],
    ['a*c', 'abcbc', true],
    ['a*c', 'abcb', false],
    ['*b*', 'abc', true],
    ['*ab', 'aab', true],
    ['a*?', 'a', false],
    ['Read_File', 'rEAD_fILE', true],
    ['a.c', 'abc', false],
    ['a+', 'aa', false],
    ['a$', 'a', false],
    ['read', 'read_file', false],
    ['a*', '*', false],
    ['\\d', '1', false],
  ])('matches %j against %j: %s', (glob, name, expected) => {
    expect(matches(glob, name)).toBe(expected)
  })

  it('comes to an end on a pattern that makes a backtracking matcher explode', () => {
    expect(matches(`${'a*'.repeat(100)}b`, 'a'.repeat(2000))).toBe(false)
    expect(matches(`${'*a?'.repeat(60)}*b`, 'a'.repeat(2000))).toBe(false)
  })
})

describe('isGlob', () => {
  it.each(['read_*', '?', 'a.b/c-d:e', 'Ünïcode', 'a$b+'])('accepts %j', (glob) => {
    expect(isGlob(glob)).toBe(true)
  })

  it.each(['', '[ab]', '{a,b}', '!a', 'a|b', '(a)', 'a\\*', '^a', 'a,b', 'a\nb', 'x'.repeat(257)])(
    'refuses %j',
    (glob) => {
      expect(isGlob(glob)).toBe(false)
    },
  )
})
