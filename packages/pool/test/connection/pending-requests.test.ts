import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type JsonObject, SwitchboardError } from '@switchboard/protocol'
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { createAbortError, PendingRequests, type RequestOptions } from '../../src/connection/pending-requests.ts'
import { createCall, failureOf } from '../helpers/upstream-harness.ts'

/** `minor`: the quick collection, which looks only at what is new. */
function readCollector(): (type: 'minor' | 'major') => void {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')
  return (type) => collect({ type })
}

function createPending() {
  const clock = new FakeClock()
  const abandoned: unknown[] = []
  const pending = new PendingRequests(clock, ({ id }, { code }) => abandoned.push([id, code]))
  /** As a connection does it: written in between. */
  const add = (id: number, method: string, options: RequestOptions): Promise<JsonObject> => {
    const answer = pending.add(id, method, options)
    pending.watch(id)
    return answer
  }
  return { clock, pending, add, abandoned }
}

describe('PendingRequests', () => {
  it('settles a request once, by its answer, and leaves no timer behind its end', async () => {
    const { clock, pending, abandoned, add } = createPending()
    const answer = add(1, 'ping', { timeout: 1000 })
    pending.take(1)?.resolve({ ok: true })
    expect(pending.take(1)).toBeUndefined()
    await expect(answer).resolves.toEqual({ ok: true })
    // Its timer is left to the next request; it fires for nothing, and ends with the connection.
    expect(clock.pendingTimers()).toHaveLength(1)
    pending.failAll(() => new SwitchboardError('server_exited', 'gone'))
    expect(clock.pendingTimers()).toEqual([])
    clock.advance(5000)
    expect(abandoned).toEqual([])
    expect(pending.size).toBe(0)
  })

  it('abandons a request when its budget is over, and tells so before its caller hears of it', async () => {
    const { clock, abandoned, add } = createPending()
    const failure = failureOf(add(1, 'slow', { timeout: 1000 }))
    clock.advance(1000)
    expect(abandoned).toEqual([[1, 'timeout']])
    expect(await failure).toMatchObject({ code: 'timeout', details: { timeoutMs: 1000 } })
  })

  it('has no budget where that is infinite', () => {
    const { clock, add } = createPending()
    void add(1, 'listen', { timeout: Number.POSITIVE_INFINITY })
    expect(clock.pendingTimers()).toEqual([])
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

  it('leaves nothing of an answered request to the full collections, which are rare', () => {
    const { pending, add } = createPending()
    const collect = readCollector()
    collect('major')
    const before = process.memoryUsage().heapUsed
    for (let id = 1; id <= 500; id++) {
      const progress = Object.assign(() => {}, { held: new Array(1_000).fill(id) })
      void add(id, 'a', { timeout: 1_000, signal: new AbortController().signal, progress })
      pending.take(id)?.resolve({})
    }
    // The first moves aside what is still in use; the second finds it unused.
    collect('minor')
    collect('minor')
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(1024 * 1024)
    pending.failAll(() => new SwitchboardError('server_exited', 'gone'))
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
    const { pending, add } = createPending()
    const failures = [1, 2, 3].map((id) => failureOf(add(id, `m${id}`, { timeout: 1000 })))
    pending.failAll(({ method }) => new SwitchboardError('server_exited', `lost ${method}`))
    expect((await Promise.all(failures)).map(({ message }) => message)).toEqual(['lost m1', 'lost m2', 'lost m3'])
  })

  it('tells requests of callers from our own', () => {
    const { pending, add } = createPending()
    void add(1, 'ping', { timeout: 1000 })
    void add(2, 'tools/call', { timeout: 1000, call: createCall() })
    expect(pending.ofCallers().map(({ id }) => id)).toEqual([2])
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
    expect(await failure).toMatchObject({ code: 'timeout' })
    pending.pauseBudget(1)
    pending.resumeBudget(1)
    expect(clock.pendingTimers()).toEqual([])
  })
})

describe('createAbortError', () => {
  it('keeps a reason of our own and tells any other as a cancel', () => {
    const own = new SwitchboardError('shutting_down', 'bye')
    expect(createAbortError(own)).toBe(own)
    expect(createAbortError(new DOMException('x', 'AbortError')).message).toBe('The call was cancelled by its caller')
    expect(createAbortError(new Error('window closed')).message).toContain(': window closed')
    expect(createAbortError('text')).toMatchObject({ code: 'cancelled', executed: 'unknown' })
  })
})
