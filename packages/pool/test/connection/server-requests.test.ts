import { SwitchboardError } from '@switchboard/protocol/errors'
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import {
  createAbortError,
  createServerRequests,
  listCallerRequests,
  type RequestOptions,
} from '../../src/connection/server-requests.ts'
import { createCall, failureOf } from '../helpers/upstream-harness.ts'

function createRequests() {
  const clock = new FakeClock()
  const abandoned: unknown[] = []
  const requests = createServerRequests(clock, {
    onAbandoned: ({ id }, error) => abandoned.push([id, error]),
    onReleased: () => {},
  })
  const add = (id: number, method: string, options: RequestOptions) => {
    const answer = requests.add(id, method, options)
    requests.watch(id)
    return answer
  }
  return { clock, requests, add, abandoned }
}

describe('the requests of a server', () => {
  it('are abandoned when their budget is over, and that is told before their caller hears of it', async () => {
    const { clock, abandoned, add } = createRequests()
    const failure = failureOf(add(1, 'slow', { timeout: 1000 }))
    clock.advance(1000)
    expect(abandoned).toMatchObject([[1, { code: 'timeout' }]])
    expect(await failure).toMatchObject({ code: 'timeout', details: { timeoutMs: 1000 } })
  })

  it('keep their timer for the next, which may come in a moment', () => {
    const { clock, requests, add } = createRequests()
    void add(1, 'ping', { timeout: 1000 })
    requests.take(1)?.resolve({})
    expect(clock.pendingTimers()).toEqual([1000])
    requests.failAll(() => new SwitchboardError('server_exited', 'gone'))
    expect(clock.pendingTimers()).toEqual([])
  })

  it('are told apart: those of callers from our own', () => {
    const { requests, add } = createRequests()
    void add(1, 'ping', { timeout: 1000 })
    void add(2, 'tools/call', { timeout: 1000, call: createCall() })
    void add(3, 'logging/setLevel', { timeout: 1000, call: createCall() })
    expect(listCallerRequests(requests).map(({ id }) => id)).toEqual([2])
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
