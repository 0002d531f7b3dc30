import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { within } from '../src/within.ts'

describe('within', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('gives what the promise gives, and leaves no timer', async () => {
    await expect(within(Promise.resolve('in time'), 1000)).resolves.toBe('in time')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('rejects as the promise does, and leaves no timer', async () => {
    await expect(within(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('gives nothing once the time is over', async () => {
    const answer = within(new Promise(() => {}), 1000)
    await vi.advanceTimersByTimeAsync(1000)
    await expect(answer).resolves.toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('what happened while nothing could run here is heard before the timer is believed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-within-'))
  const made = join(folder, 'made')
  const answer = within(
    mkdir(made).then(() => 'made'),
    1,
  )
  stand(10)
  while (!existsSync(made)) stand(10)
  stand(50)
  expect(await answer).toBe('made')
  await rm(folder, { recursive: true })
})

/** As on a machine that gives us no time. */
function stand(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
