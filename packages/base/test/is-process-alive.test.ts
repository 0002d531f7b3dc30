import { expect, test } from 'vitest'
import { isProcessAlive } from '../src/is-process-alive.ts'

test('this process is alive, and so is its parent', () => {
  expect(isProcessAlive(process.pid)).toBe(true)
  expect(isProcessAlive(process.ppid)).toBe(true)
})

test('a number that no process can have is not', () => {
  expect(isProcessAlive(2 ** 30)).toBe(false)
})
