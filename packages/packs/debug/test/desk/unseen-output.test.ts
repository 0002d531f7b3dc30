import { expect, test } from 'vitest'
import { UnseenOutput } from '../../src/desk/unseen-output.ts'

test('of a large piece the end is kept when a small one comes behind it', () => {
  const output = new UnseenOutput()
  output.add('x'.repeat(16_384))
  output.add('end')
  expect(output.take()).toEqual({ text: `${'x'.repeat(16_381)}end`, dropped: 3 })
  expect(output.take()).toEqual({ text: '', dropped: 0 })
})

test('of many small pieces the last are kept, and the others counted', () => {
  const output = new UnseenOutput()
  for (let index = 0; index < 10_000; index++) output.add(String(index).padStart(10))
  const { text, dropped } = output.take()
  expect(text.length).toBe(16_384)
  expect(text.endsWith('      9999')).toBe(true)
  expect(dropped).toBe(100_000 - 16_384)
})
