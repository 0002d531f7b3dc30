import { describe, expect, it } from 'vitest'
import { guessLevel, OutputTail } from '../../src/upstream/output-tail.ts'

describe('OutputTail', () => {
  it('shows no secrets', () => {
    const tail = new OutputTail()
    tail.push('starting with --token=abcdef0123456789')
    expect(tail.lines().join()).not.toContain('abcdef0123456789')
  })

  it('keeps the last 200 lines, oldest first', () => {
    const tail = new OutputTail()
    expect(tail.lines()).toEqual([])
    for (let index = 1; index <= 1234; index++) tail.push(`line ${index}`)
    expect(tail.lines()).toEqual(Array.from({ length: 200 }, (_, index) => `line ${1035 + index}`))
    expect(tail.lines(2)).toEqual(['line 1233', 'line 1234'])
  })

  it('gives what there is before it is full', () => {
    const tail = new OutputTail()
    for (const line of ['a', 'b', 'c']) tail.push(line)
    expect(tail.lines()).toEqual(['a', 'b', 'c'])
    expect(tail.lines(2)).toEqual(['b', 'c'])
  })

  it('cuts a line that would fill the memory by itself', () => {
    const tail = new OutputTail()
    tail.push('x'.repeat(1_000_000))
    expect(tail.lines().map((line) => line.length)).toEqual([2001])
  })
})

describe('guessLevel', () => {
  it.each([
    ['Error: cannot open database', 'error'],
    ['TypeError: x is not a function', 'error'],
    ['java.lang.IllegalStateException: closed', 'error'],
    ['[FATAL] out of memory', 'error'],
    ['Traceback (most recent call last):', 'error'],
    ['2026-01-01 WARN slow', 'warn'],
    ['(node:1) DeprecationWarning: Buffer()', 'warn'],
    ['npm warn deprecated x', 'warn'],
    ['DEBUG connected', 'debug'],
    ['Server running on stdio', 'info'],
    ['processed 5 requests without terrors', 'info'],
    ['', 'info'],
  ] as const)('takes %j for %s', (line, level) => {
    expect(guessLevel(line)).toBe(level)
  })

  it('looks at the beginning of a line only, so that a dumped payload does not decide', () => {
    expect(guessLevel(`${'x '.repeat(150)}error`)).toBe('info')
  })
})
