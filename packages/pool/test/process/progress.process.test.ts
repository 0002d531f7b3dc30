/** Progress: all of it, in order, and before the result it belongs to, even when both come in one chunk. */
import { textOf } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { reachBy, WIRES } from './support/wires.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const HUNDRED = Array.from({ length: 100 }, (_, index) => index + 1)

describe.each(WIRES)('over $wire', (wire) => {
  test.each([
    { how: 'in one chunk with the result', sameChunk: true },
    { how: 'in messages of their own', sameChunk: false },
  ])('100 of 100, $how', async ({ sameChunk }) => {
    const { pool, status } = bench.open({ mcpServers: { a: await reachBy(bench, wire, 'a') } })
    pool.start()
    await pool.ready()
    const seen: number[] = []
    let seenWithResult = 0
    const result = await pool
      .call('a_progress', { count: 100, sameChunk }, { onProgress: ({ progress }) => void seen.push(progress) })
      .finally(() => {
        seenWithResult = seen.length
      })
    expect(textOf(result)).toBe('reported 100')
    expect(seen).toEqual(HUNDRED)
    expect(seenWithResult).toBe(100)
    expect(status('a').era).toBe(wire.era)
  })
})

test('20 calls at once each hear of their own progress only', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  const counts = Array.from({ length: 20 }, (_, index) => index + 1)
  const heard = await Promise.all(
    counts.map(async (count) => {
      const steps: string[] = []
      await pool.call('a_progress', { count }, { onProgress: ({ message }) => void steps.push(message ?? '') })
      return steps
    }),
  )
  expect(heard).toEqual(
    counts.map((count) => Array.from({ length: count }, (_, index) => `step ${index + 1} of ${count}`)),
  )
})

test('who wants no progress is not sent any', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  expect(textOf(await pool.call('a_progress', { count: 5 }))).toBe('reported 0')
})
