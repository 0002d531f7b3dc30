import { expect, test } from 'vitest'
import { Dimension } from '../../src/encoders/dimension.ts'

test('learns the length of the first answer, and refuses another', () => {
  const dimension = new Dimension(undefined)
  expect(dimension.accept(64)).toBe(true)
  expect(dimension.accept(64)).toBe(false)
  expect(() => dimension.accept(5)).toThrow('5 numbers where there were 64 before')
  expect(dimension.length).toBe(64)
})

test('believes another length that comes again and again', () => {
  const dimension = new Dimension(undefined)
  dimension.remember(64)
  for (let count = 0; count < 4; count++) expect(() => dimension.accept(32)).toThrow('32 numbers')
  expect(dimension.accept(32)).toBe(true)
  expect(dimension.length).toBe(32)
})

test('a right answer in between starts the count anew', () => {
  const dimension = new Dimension(undefined)
  dimension.accept(64)
  for (let count = 0; count < 4; count++) expect(() => dimension.accept(32)).toThrow()
  dimension.accept(64)
  for (let count = 0; count < 4; count++) expect(() => dimension.accept(32)).toThrow()
  expect(dimension.length).toBe(64)
})

test('never believes another one than is configured', () => {
  const dimension = new Dimension(64)
  for (let count = 0; count < 20; count++) expect(() => dimension.accept(32)).toThrow('where 64 are configured')
})
