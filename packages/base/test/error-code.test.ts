import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCode } from '../src/error-code.ts'

test('tells what Node says went wrong', () => {
  let thrown: unknown
  try {
    readFileSync('/nowhere/at/all')
  } catch (error) {
    thrown = error
  }
  expect(errorCode(thrown)).toBe('ENOENT')
})

test.each([
  [new Error('plain')],
  [Object.assign(new Error('numbered'), { code: 20 })],
  [{ code: 'ENOENT' }],
  ['ENOENT'],
  [undefined],
])('finds no code in %s', (error) => {
  expect(errorCode(error)).toBeUndefined()
})
