import { describe, expect, test } from 'vitest'
import { markLogMessage, parseLogMessage, splitMarkedOutput } from '../../src/dap/log-marks.ts'

describe('output with marks', () => {
  test('is cut into the program’s words and those of logpoints, without the adapter’s decoration', () => {
    const text = `before\n> [Go 1]: ${markLogMessage('a b', 'i is 5')}\nafter`
    expect(splitMarkedOutput('stdout', text)).toEqual([
      { category: 'stdout', text: 'before\n' },
      { category: 'console', text: 'i is 5\n', breakpointId: 'a b' },
      { category: 'stdout', text: 'after' },
    ])
  })

  test('of a program that prints something like a mark stays readable', () => {
    expect(splitMarkedOutput('stdout', '[[bp:%zz]]x')).toEqual([
      { category: 'console', text: 'x\n', breakpointId: '%zz' },
    ])
    expect(splitMarkedOutput('stdout', '[[bp:]] x')).toEqual([{ category: 'stdout', text: '[[bp:]] x' }])
  })
})

describe('a log message', () => {
  test.each([
    ['plain', ['plain']],
    ['{a}', [{ expression: 'a' }]],
    ['x = { a + {b: 1}.size }!', ['x = ', { expression: 'a + {b: 1}.size' }, '!']],
    ['\\{no\\} {yes}', ['{no} ', { expression: 'yes' }]],
    ['open { for ever', ['open { for ever']],
    ['', []],
  ])('%j has the pieces %j', (message, pieces) => {
    expect(parseLogMessage(message)).toEqual(pieces)
  })
})
