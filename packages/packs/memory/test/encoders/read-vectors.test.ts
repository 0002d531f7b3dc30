import { MAX_DIMENSION as STORED_DIMENSION } from '@switchboard/store'
import { expect, test } from 'vitest'
import { MAX_DIMENSION } from '../../src/encoders/encoder-config.ts'
import { readVectors } from '../../src/encoders/read-vectors.ts'

const base64 = (values: readonly number[]) => Buffer.from(Float32Array.from(values).buffer).toString('base64')

test('takes numbers and base64, and gives vectors of length 1', () => {
  const expected = [Float32Array.of(0.6, 0.8), Float32Array.of(0.6, 0.8)]
  expect(readVectors([[3, 4], base64([3, 4])], 2)).toEqual(expected)
})

test.each([
  ['no list', { vectors: [] }, 1, 'without a list'],
  ['too few', [[1]], 2, '1 vectors for 2 texts'],
  ['too many', [[1], [1]], 1, '2 vectors for 1 texts'],
  ['an empty one', [[]], 1, 'empty vector'],
  ['words', [['a']], 1, 'number 1 is no number'],
  ['nothing in place of a number', [[1, null]], 1, 'number 2 is no number'],
  ['infinity', [[1, Number.POSITIVE_INFINITY]], 1, 'not finite'],
  ['no number at all', [[1, Number.NaN]], 1, 'not finite'],
  ['a number in base64 that is none', [base64([Number.NaN])], 1, 'not finite'],
  ['base64 that is cut off', ['AAA='], 1, 'no base64 of numbers'],
  ['zeros', [[0, 0]], 1, 'zeros'],
  ['different lengths', [[1], [1, 2]], 2, 'different lengths'],
  ['one of a million', [new Array(1_000_000).fill(1)], 1, 'more than 8192'],
  ['a text of ten million', ['A'.repeat(10_000_000)], 1, 'more than 8192'],
  ['an object', [{ embedding: [1] }], 1, 'no vector'],
])('refuses %s', (_name, answered, count, message) => {
  expect(() => readVectors(answered, count)).toThrow(message)
})

test('takes vectors as long as the store does', () => {
  expect(MAX_DIMENSION).toBe(STORED_DIMENSION)
})
