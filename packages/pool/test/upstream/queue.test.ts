import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { SHARED_POLICY } from '../../src/supervision/policy.ts'
import { CallQueue } from '../../src/upstream/call-queue.ts'
import { Upstream } from '../../src/upstream/upstream.ts'
import { FakeServer } from '../helpers/fake-server.ts'
import {
  createCall,
  createConfig,
  createEnvironment,
  createHarness,
  failureOf,
  hold,
} from '../helpers/upstream-harness.ts'

const SILENT_CALLS = { on: { 'tools/call': hold } }

describe('the calls of one server', () => {
  it('are at most `concurrency` in flight; the others follow in the order in which they came', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({
      server: SILENT_CALLS,
      config: { concurrency: 3 },
    })
    await start()
    const outcomes = Array.from({ length: 8 }, (_, index) => callTool('any', { index }))
    await settle()
    expect(upstream.status()).toMatchObject({ inFlight: 3, queued: 5 })
    for (let answered = 0; answered < 8; answered++) {
      const requests = server.current.requests('tools/call')
      expect(requests.length).toBe(Math.min(8, answered + 3))
      server.current.simulateResult(requests[answered]?.id ?? 'none', {})
      await settle()
    }
    await Promise.all(outcomes)
    const order = server.current.requests('tools/call').map(({ params }) => params?.arguments)
    expect(order).toEqual(Array.from({ length: 8 }, (_, index) => ({ index })))
    expect(upstream.status()).toMatchObject({ inFlight: 0, queued: 0 })
  })

  it('fail with queue_timeout when their budget is over before their turn, and nothing is sent', async () => {
    const { start, clock, server, callTool } = createHarness({ server: SILENT_CALLS, config: { concurrency: 1 } })
    await start()
    void callTool('any').catch(() => {})
    const failure = failureOf(callTool('any', {}, { timeout: 2000 }))
    await clock.advanceAsync(2000)
    expect(await failure).toMatchObject({ code: 'queue_timeout', executed: false, details: { queue: 'fake' } })
    expect(server.current.requests('tools/call')).toHaveLength(1)
    expect(server.current.requests('ping')).toEqual([])
  })

  it('have one budget for the wait in the queue, the wait for the server and the call itself', async () => {
    const { clock, server, callTool, upstream } = createHarness({
      server: { on: { initialize: hold, 'tools/call': hold } },
      config: { concurrency: 1, start: 'lazy' },
    })
    const first = callTool('any', {}, { timeout: 60_000 })
    const failure = failureOf(callTool('any', {}, { timeout: 10_000 }))
    await clock.advanceAsync(4000)
    const initialize = server.current.requests('initialize')[0]
    server.current.simulateResult(initialize?.id ?? 'none', { protocolVersion: '2025-11-25', capabilities: {} })
    await clock.advanceAsync(3000)
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', {})
    await first
    await clock.advanceAsync(2999)
    expect(server.current.requests('tools/call')).toHaveLength(2)
    expect(upstream.status().inFlight).toBe(1)
    await clock.advanceAsync(1)
    expect(await failure).toMatchObject({ code: 'timeout', details: { timeoutMs: 3000 } })
  })

  it("take the tool's own budget before the server's, and the caller's before both", async () => {
    const { start, settle, clock, callTool, upstream } = createHarness({
      server: {
        tools: [
          { name: 'long', inputSchema: {} },
          { name: 'short', inputSchema: {} },
        ],
        ...SILENT_CALLS,
      },
      config: { timeout: 3000, toolTimeouts: { long: 9000 } },
    })
    await start()
    const budgets = [callTool('short'), callTool('long'), callTool('long', {}, { timeout: 500 })].map(
      async (outcome) => {
        await failureOf(outcome)
        return clock.now()
      },
    )
    await clock.advanceAsync(20_000)
    expect(await Promise.all(budgets)).toEqual([3000, 9000, 500])
    await settle()
    expect(upstream.status()).toMatchObject({ inFlight: 0, failures: 3 })
  })
})

describe('a named queue', () => {
  it('is shared by two servers, and its places go from one to the other', async () => {
    const clock = new FakeClock()
    const queue = new CallQueue('gpu', 1, clock)
    const servers = { a: new FakeServer(SILENT_CALLS), b: new FakeServer(SILENT_CALLS) }
    const { environment } = createEnvironment((name) => (name === 'a' ? servers.a : servers.b), {
      clock,
      queues: [queue],
      learned: { era: 'legacy' },
    })
    const create = (name: string) =>
      new Upstream({ config: createConfig({ name, queue: 'gpu' }), environment, policy: SHARED_POLICY })
    const upstreams = { a: create('a'), b: create('b') }
    upstreams.a.start()
    upstreams.b.start()
    await clock.advanceAsync(0)
    const params = { name: 'any', arguments: {} }
    const first = upstreams.a.request('tools/call', params, createCall())
    const second = upstreams.b.request('tools/call', params, createCall())
    const late = failureOf(upstreams.b.request('tools/call', params, createCall({ timeout: 1000 })))
    await clock.advanceAsync(0)
    expect(servers.b.current.requests('tools/call')).toEqual([])
    expect(queue).toMatchObject({ active: 1, waiting: 2 })
    await clock.advanceAsync(1000)
    expect(await late).toMatchObject({ code: 'queue_timeout', details: { queue: 'gpu' } })
    servers.a.current.simulateResult(servers.a.current.requests('tools/call')[0]?.id ?? 'none', {})
    await clock.advanceAsync(0)
    const [request] = servers.b.current.requests('tools/call')
    servers.b.current.simulateResult(request?.id ?? 'none', {})
    await Promise.all([first, second])
    expect(queue).toMatchObject({ active: 0, waiting: 0 })
  })
})

describe('CallQueue', () => {
  const createQueue = (limit: number) => {
    const clock = new FakeClock()
    return { clock, queue: new CallQueue('q', limit, clock) }
  }

  it('lets more in at once when its limit is raised, and none when it is lowered', async () => {
    const { queue } = createQueue(1)
    const admitted: number[] = []
    for (let index = 0; index < 4; index++) void queue.acquire({ timeout: 1000 }).then(() => admitted.push(index))
    queue.setLimit(3)
    await Promise.resolve()
    expect(admitted).toEqual([0, 1, 2])
    queue.setLimit(1)
    queue.release()
    queue.release()
    expect(queue).toMatchObject({ active: 1, waiting: 1 })
    queue.release()
    expect(queue).toMatchObject({ active: 1, waiting: 0 })
  })

  it('leaves no timer when a place is given', async () => {
    const { queue, clock } = createQueue(1)
    expect(queue.tryAcquire()).toBe(true)
    expect(queue.tryAcquire()).toBe(false)
    const waiting = queue.acquire({ timeout: 5000 })
    expect(clock.pendingTimers()).toEqual([5000])
    queue.release()
    await waiting
    expect(clock.pendingTimers()).toEqual([])
  })

  it('refuses at once who has already given up', async () => {
    const { queue } = createQueue(1)
    queue.tryAcquire()
    const error = await failureOf(queue.acquire({ timeout: 5000, signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'cancelled', executed: false })
    expect(queue.waiting).toBe(0)
  })
})
