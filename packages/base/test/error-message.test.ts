import { expect, test } from 'vitest'
import { errorMessage } from '../src/error-message.ts'

test.each([
  [new Error('broken'), 'broken'],
  [new TypeError('no function'), 'no function'],
  ['just text', 'just text'],
  [undefined, 'undefined'],
  [{ message: 'not an error' }, '[object Object]'],
])('of %s is %j', (thrown, message) => {
  expect(errorMessage(thrown)).toBe(message)
})
