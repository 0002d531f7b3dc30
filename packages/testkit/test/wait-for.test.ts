import { expect, test } from 'vitest'
import { waitFor } from '../src/wait-for.ts'

test('the first truthy value is returned', async () => {
  const values = [undefined, 0, 'found', 'too far']
  await expect(waitFor(() => values.shift(), { interval: 0 })).resolves.toBe('found')
})

test('an asynchronous condition is awaited', async () => {
  let looks = 0
  await waitFor(async () => ++looks === 3, { interval: 0 })
  expect(looks).toBe(3)
})

test('a condition that throws is asked again', async () => {
  let looks = 0
  const value = await waitFor(
    () => {
      looks += 1
      if (looks < 3) throw new Error('not yet')
      return looks
    },
    { interval: 0 },
  )
  expect(value).toBe(3)
})

test('the failure says what was waited for, how long, and the last value', async () => {
  const waiting = waitFor(() => false, { timeout: 1, what: 'the moon' })
  await expect(waiting).rejects.toThrow('Waited in vain for the moon (1 ms). The last value was false.')
})

test('the failure carries the last error as its cause', async () => {
  const cause = new Error('no route')
  const waiting = waitFor(
    () => {
      throw cause
    },
    { timeout: 1, what: 'an answer' },
  )
  await expect(waiting).rejects.toMatchObject({ message: expect.stringContaining('no route'), cause })
})
