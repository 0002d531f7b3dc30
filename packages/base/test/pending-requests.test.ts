import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { NEVER_ABORTED, PendingRequests, type RequestLimits } from '../src/pending-requests.ts'

interface Options extends RequestLimits {
  readonly held?: unknown
}

/** `minor`: the quick collection, which looks only at what is new. */
function readCollector(): (type: 'minor' | 'major') => void {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')
  return (type) => collect({ type })
}

function createPending({ keepsTimer = false } = {}) {
  const clock = new FakeClock()
  const abandoned: [id: unknown, message: string][] = []
  const pending = new PendingRequests<object, Options>({
    clock,
    keepsTimer,
    createTimeoutError: ({ method, options }) => new Error(`${method} is late after ${options.timeout} ms`),
    createAbortError: ({ method }, reason) => new Error(`${method} was given up: ${reason}`),
    onAbandoned: ({ id }, { message }) => abandoned.push([id, message]),
  })
  /** As a connection does it: written in between. */
  const add = (id: number, method: string, options: Options): Promise<object> => {
    const answer = pending.add(id, method, options)
    pending.watch(id)
    return answer
  }
  return { clock, pending, add, abandoned }
}

async function failureOf(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => 'did not fail',
    (error: Error) => error.message,
  )
}

describe('PendingRequests', () => {
  it('settles a request once, by its answer, and leaves no timer behind', async () => {
    const { clock, pending, abandoned, add } = createPending()
    const answer = add(1, 'ping', { timeout: 1000 })
    expect(clock.pendingTimers()).toEqual([1000])
    pending.take(1)?.resolve({ ok: true })
    expect(pending.take(1)).toBeUndefined()
    await expect(answer).resolves.toEqual({ ok: true })
    expect(clock.pendingTimers()).toEqual([])
    clock.advance(5000)
    expect(abandoned).toEqual([])
    expect(pending.size).toBe(0)
  })

  it('leaves its timer to the next request where it is told to keep it, and none behind the end', async () => {
    const { clock, pending, abandoned, add } = createPending({ keepsTimer: true })
    const answer = add(1, 'ping', { timeout: 1000 })
    pending.take(1)?.resolve({ ok: true })
    await expect(answer).resolves.toEqual({ ok: true })
    // It fires for nothing, and ends with the connection.
    expect(clock.pendingTimers()).toHaveLength(1)
    pending.failAll(() => new Error('gone'))
    expect(clock.pendingTimers()).toEqual([])
    clock.advance(5000)
    expect(abandoned).toEqual([])
    expect(pending.size).toBe(0)
  })

  it('abandons a request when its budget is over, and tells so before its caller hears of it', async () => {
    const { clock, pending, abandoned, add } = createPending()
    const heard: unknown[] = []
    const failure = failureOf(add(1, 'slow', { timeout: 1000 })).finally(() => heard.push(...abandoned))
    clock.advance(999)
    expect(abandoned).toEqual([])
    clock.advance(1)
    expect(abandoned).toEqual([[1, 'slow is late after 1000 ms']])
    expect(await failure).toBe('slow is late after 1000 ms')
    expect(heard).toHaveLength(1)
    expect(pending.take(1)).toBeUndefined()
    expect(clock.pendingTimers()).toEqual([])
  })

  it('keeps to the deadline of each, with one timer for all', async () => {
    const { clock, pending, abandoned, add } = createPending()
    const answers = [3000, 1000, 2000].map((timeout, index) => failureOf(add(index, `m${index}`, { timeout })))
    expect(clock.pendingTimers()).toEqual([1000])
    clock.advance(1000)
    expect(abandoned.map(([id]) => id)).toEqual([1])
    expect(clock.pendingTimers()).toEqual([1000])
    pending.take(2)?.resolve({})
    clock.advance(2000)
    expect(abandoned.map(([id]) => id)).toEqual([1, 0])
    expect(await Promise.all(answers)).toEqual(['m0 is late after 3000 ms', 'm1 is late after 1000 ms', 'did not fail'])
    expect(clock.pendingTimers()).toEqual([])
  })

  it('has no budget where that is infinite', () => {
    const { clock, add } = createPending()
    void add(1, 'listen', { timeout: Number.POSITIVE_INFINITY })
    expect(clock.pendingTimers()).toEqual([])
  })

  it('abandons a request that is aborted, with the reason', async () => {
    const { clock, abandoned, add } = createPending()
    const aborter = new AbortController()
    const failure = failureOf(add(1, 'a', { timeout: 1000, signal: aborter.signal }))
    aborter.abort('enough')
    expect(abandoned).toEqual([[1, 'a was given up: enough']])
    expect(await failure).toBe('a was given up: enough')
    expect(clock.pendingTimers()).toEqual([])
  })

  it('abandons a request that is aborted while it is written', async () => {
    const { pending, abandoned } = createPending()
    const aborter = new AbortController()
    const failure = failureOf(pending.add(1, 'a', { timeout: 1000, signal: aborter.signal }))
    aborter.abort('enough')
    pending.watch(1)
    expect(abandoned).toEqual([[1, 'a was given up: enough']])
    expect(await failure).toBe('a was given up: enough')
  })

  it('listens to an abort no longer than the request lives', async () => {
    const { pending, abandoned, add } = createPending()
    const aborter = new AbortController()
    const answer = add(1, 'a', { timeout: 1000, signal: aborter.signal })
    pending.take(1)?.resolve({})
    await answer
    aborter.abort()
    expect(abandoned).toEqual([])
  })

  it('does not listen to the signal that never aborts', () => {
    const { pending, add } = createPending()
    const listened: unknown[] = []
    const signal = NEVER_ABORTED
    signal.addEventListener = (...args: unknown[]) => void listened.push(args)
    void add(1, 'a', { timeout: 1000, signal })
    pending.take(1)?.resolve({})
    Reflect.deleteProperty(signal, 'addEventListener')
    expect(listened).toEqual([])
  })

  it('leaves nothing of an answered request to the full collections, which are rare', () => {
    const { pending, add } = createPending({ keepsTimer: true })
    const collect = readCollector()
    collect('major')
    const before = process.memoryUsage().heapUsed
    for (let id = 1; id <= 500; id++) {
      const held = Object.assign(() => {}, { held: new Array(1_000).fill(id) })
      void add(id, 'a', { timeout: 1_000, signal: new AbortController().signal, held })
      pending.take(id)?.resolve({})
    }
    // The first moves aside what is still in use; the second finds it unused.
    collect('minor')
    collect('minor')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 * 1024)
    pending.failAll(() => new Error('gone'))
  })

  it('answers a request that is answered while it is written, and watches it no more', async () => {
    const { clock, pending } = createPending()
    const answer = pending.add(1, 'ping', { timeout: 1000 })
    pending.take(1)?.resolve({ fast: true })
    pending.watch(1)
    await expect(answer).resolves.toEqual({ fast: true })
    expect(clock.pendingTimers()).toEqual([])
  })

  it('fails all with an error of their own', async () => {
    const { pending, add, abandoned } = createPending()
    const failures = [1, 2, 3].map((id) => failureOf(add(id, `m${id}`, { timeout: 1000 })))
    expect(pending.all().map(({ id }) => id)).toEqual([1, 2, 3])
    pending.failAll(({ method }) => new Error(`lost ${method}`))
    expect(await Promise.all(failures)).toEqual(['lost m1', 'lost m2', 'lost m3'])
    expect(abandoned).toEqual([])
  })

  it('stops the clock of a request while it is paused, as often as it is paused', async () => {
    const { clock, pending, add } = createPending()
    const failure = failureOf(add(1, 'a', { timeout: 1000 }))
    clock.advance(400)
    pending.pauseBudget(1)
    pending.pauseBudget(1)
    clock.advance(9000)
    pending.resumeBudget(1)
    clock.advance(9000)
    pending.resumeBudget(1)
    expect(clock.pendingTimers()).toEqual([600])
    clock.advance(600)
    expect(await failure).toBe('a is late after 1000 ms')
    pending.pauseBudget(1)
    pending.resumeBudget(1)
    expect(clock.pendingTimers()).toEqual([])
  })

  it('is over for good once it is answered, also when it was paused', async () => {
    const { clock, pending, add, abandoned } = createPending()
    const answer = add(1, 'a', { timeout: 1000 })
    pending.pauseBudget(1)
    pending.take(1)?.resolve({ ok: true })
    pending.resumeBudget(1)
    clock.advance(5000)
    await expect(answer).resolves.toEqual({ ok: true })
    expect(abandoned).toEqual([])
    expect(clock.pendingTimers()).toEqual([])
  })
})
