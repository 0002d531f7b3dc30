import { expect, test } from 'vitest'
import { EventQueue } from '../../src/dap/event-queue.ts'

test('events are handled in order, quick ones at once, and a failed one does not hold up the rest', async () => {
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const queue = new EventQueue<string>((event) => {
    seen.push(event)
    if (event === 'slow') return first.promise
    return event === 'bad' ? Promise.reject(new Error('bad')) : undefined
  })
  queue.push('quick')
  queue.push('slow')
  for (const event of ['a', 'bad', 'b', 'c']) queue.push(event)
  expect(seen).toEqual(['quick', 'slow'])
  expect([queue.has((event) => event === 'b'), queue.has((event) => event === 'slow')]).toEqual([true, false])
  first.resolve()
  await queue.drained()
  expect(seen).toEqual(['quick', 'slow', 'a', 'bad', 'b', 'c'])
})
