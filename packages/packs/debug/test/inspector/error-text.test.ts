import { expect, test } from 'vitest'
import { readErrorMessage } from '../../src/inspector/error-stack.ts'
import { readHeading } from '../../src/inspector/syntax-place.ts'

test.each([
  ['RangeError: too deep: 3\n    at f (/a.js:1:1)', 'RangeError', 'too deep: 3'],
  [
    'AssertionError [ERR_ASSERTION]: not equal:\n\n1 !== 2\n    at f (/a.js:1:1)',
    'AssertionError',
    'not equal:\n\n1 !== 2',
  ],
  ['/a.js:3\n  return a\n         ^\n\nSyntaxError: no\n    at wrapSafe (node:x:1:1)', 'SyntaxError', 'no'],
  ['Error: of another class', 'Mine', 'Error: of another class'],
  ['Error', 'Error', 'Error'],
])('the message of %j', (description, type, message) => {
  expect(readErrorMessage(description, type)).toBe(message)
})

test.each([
  ['file:///app/bad.ts:2\nconst x\nfunction f(: string) {}\n           ^\n\nSyntaxError: no', '/app/bad.ts', 2, 12],
  ['/app/bad.js:3\n  return a\n         ^\n', '/app/bad.js', 3, 10],
])('the place that %j begins with', (stack, path, line, column) => {
  expect(readHeading(stack)).toEqual({ path, line, column })
})

test.each(['SyntaxError: no\n    at f (/a.js:1:1)', 'x:3\n^', '/a.js:3\nno caret'])('%j begins with none', (stack) => {
  expect(readHeading(stack)).toBeUndefined()
})
