import type { JsonRpcRequest } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { createCall, createHarness, failureOf, type HarnessOptions } from '../helpers/upstream-harness.ts'

const URI = 'file:///a'

function createSubscriber(options: HarnessOptions) {
  const harness = createHarness({
    ...options,
    server: { capabilities: { resources: { subscribe: true } }, ...options.server },
  })
  const request = (method: string, instance: string, uri: string) =>
    harness.upstream.request(method, { uri }, createCall({ caller: { era: 'legacy', capabilities: {}, instance } }))
  return {
    ...harness,
    subscribe: (instance: string, uri = URI) => request('resources/subscribe', instance, uri),
    unsubscribe: (instance: string, uri = URI) => request('resources/unsubscribe', instance, uri),
    sent: (method: string) => harness.server.current.requests(method).map(({ params }) => params?.uri),
  }
}

describe('subscriptions of a legacy server', () => {
  it('are asked for once, however many want the same resource, and given up with the last of them', async () => {
    const { start, subscribe, unsubscribe, sent } = createSubscriber({})
    await start()
    for (const instance of ['one', 'two', 'three']) await subscribe(instance)
    await subscribe('one')
    expect(sent('resources/subscribe')).toEqual([URI])
    await unsubscribe('one')
    await unsubscribe('two')
    await unsubscribe('two')
    expect(sent('resources/unsubscribe')).toEqual([])
    await unsubscribe('three')
    expect(sent('resources/unsubscribe')).toEqual([URI])
  })

  it('are asked for once also by those who come at the same time, and nobody is forgotten', async () => {
    const { start, settle, subscribe, unsubscribe, sent } = createSubscriber({})
    await start()
    await Promise.all([subscribe('one'), subscribe('two')])
    await settle()
    expect(sent('resources/subscribe')).toEqual([URI])
    await unsubscribe('two')
    expect(sent('resources/unsubscribe')).toEqual([])
    await unsubscribe('one')
    expect(sent('resources/unsubscribe')).toEqual([URI])
  })

  it('are not counted when the server refuses, and who waited for that answer asks for itself', async () => {
    let answers = 0
    const { start, settle, subscribe, sent } = createSubscriber({
      server: {
        on: { 'resources/subscribe': () => (answers++ === 0 ? { error: { code: -32002, message: 'no such' } } : {}) },
      },
    })
    await start()
    const first = failureOf(subscribe('one'))
    const second = subscribe('two')
    await settle()
    expect(await first).toMatchObject({ code: 'upstream_error' })
    await expect(second).resolves.toEqual({})
    expect(sent('resources/subscribe')).toEqual([URI, URI])
  })

  it('are restored after a restart', async () => {
    const { start, settle, server, subscribe, sent } = createSubscriber({})
    await start()
    await subscribe('one', 'file:///a')
    await subscribe('two', 'file:///b')
    server.current.simulateExit()
    await settle()
    expect(server.starts).toHaveLength(2)
    expect(sent('resources/subscribe')).toEqual(['file:///a', 'file:///b'])
  })

  it('are given up when their only caller is gone, and kept for the others', async () => {
    const { start, settle, upstream, subscribe, sent } = createSubscriber({})
    await start()
    await subscribe('one', 'file:///a')
    await subscribe('one', 'file:///b')
    await subscribe('two', 'file:///b')
    upstream.releaseCaller('one')
    await settle()
    expect(sent('resources/unsubscribe')).toEqual(['file:///a'])
  })

  it('announce updates to whoever listens', async () => {
    const { start, server, upstream, subscribe } = createSubscriber({})
    await start()
    await subscribe('one')
    const updates: unknown[] = []
    const listening = upstream.onResourceUpdated((uri, params) => updates.push([uri, params]))
    server.current.simulateNotification('notifications/resources/updated', { uri: URI, 'x-own': 1 })
    listening.dispose()
    server.current.simulateNotification('notifications/resources/updated', { uri: URI })
    expect(updates).toEqual([[URI, { uri: URI, 'x-own': 1 }]])
  })

  it('keep a server from being stopped for want of use', async () => {
    const { start, clock, upstream, subscribe, unsubscribe } = createSubscriber({ config: { idleTimeout: 60_000 } })
    await start()
    await subscribe('one')
    await clock.advanceAsync(600_000)
    expect(upstream.status().state).toBe('ready')
    await unsubscribe('one')
    await clock.advanceAsync(60_000)
    expect(upstream.status().state).toBe('idle')
  })
})

describe('subscriptions of a modern server', () => {
  const MODERN = {
    era: 'modern',
    capabilities: { resources: { subscribe: true }, tools: { listChanged: true } },
  } as const

  const filtersOf = (requests: readonly JsonRpcRequest[]) => requests.map(({ params }) => params?.notifications)

  it('are one listen stream that names them all, opened anew when they change', async () => {
    const { start, settle, server, subscribe, unsubscribe } = createSubscriber({ server: MODERN })
    await start()
    await subscribe('one', 'file:///a')
    await subscribe('two', 'file:///a')
    await subscribe('two', 'file:///b')
    await unsubscribe('one', 'file:///a')
    await unsubscribe('two', 'file:///a')
    await settle()
    const listens = server.current.requests('subscriptions/listen')
    expect(filtersOf(listens)).toEqual([
      { toolsListChanged: true },
      { toolsListChanged: true, resourceSubscriptions: ['file:///a'] },
      { toolsListChanged: true, resourceSubscriptions: ['file:///a', 'file:///b'] },
      { toolsListChanged: true, resourceSubscriptions: ['file:///b'] },
    ])
    expect(server.current.abandoned).toEqual(listens.slice(0, 3).map(({ id }) => id))
    expect(server.current.requests('resources/subscribe')).toEqual([])
  })

  it('are restored with the listen stream after a restart', async () => {
    const { start, settle, server, subscribe } = createSubscriber({ server: MODERN })
    await start()
    await subscribe('one')
    server.current.simulateExit()
    await settle()
    expect(server.starts).toHaveLength(2)
    expect(filtersOf(server.current.requests('subscriptions/listen'))).toEqual([
      { toolsListChanged: true, resourceSubscriptions: [URI] },
    ])
  })

  it('need no stream where there is nothing to hear', async () => {
    const { start, server } = createSubscriber({ server: { ...MODERN, capabilities: { tools: {} } } })
    await start()
    expect(server.current.requests('subscriptions/listen')).toEqual([])
  })

  it('hear of changed lists', async () => {
    const { start, settle, server, upstream } = createSubscriber({ server: MODERN })
    await start()
    server.script.tools = [{ name: 'new', inputSchema: {} }]
    const [listen] = server.current.requests('subscriptions/listen')
    server.current.simulateNotification('notifications/tools/list_changed', {}, listen?.id)
    await settle()
    expect(upstream.catalog().tools).toHaveLength(1)
  })

  it('open a stream that broke off again after 1, 2, 4 … 60 s, and look whether the server lives', async () => {
    const { start, clock, server } = createSubscriber({
      server: { ...MODERN, on: { 'subscriptions/listen': () => ({ resultType: 'complete' }) } },
    })
    await start()
    const times: number[] = []
    let seen = 1
    for (let second = 1; second <= 200; second++) {
      await clock.advanceAsync(1000)
      const count = server.current.requests('subscriptions/listen').length
      if (count > seen) times.push(second)
      seen = count
    }
    expect(times).toEqual([1, 3, 7, 15, 31, 63, 123, 183])
    expect(server.current.requests('server/discover').length).toBeGreaterThan(1)
    expect(server.starts).toHaveLength(1)
  })

  it('open a stream that had lived for a while again after 1 s, however often it broke off before', async () => {
    const { start, clock, settle, server } = createSubscriber({ server: MODERN })
    await start()
    const breakOff = async () => {
      server.current.simulateResult(server.current.requests('subscriptions/listen').at(-1)?.id ?? 'none', {})
      await settle()
    }
    for (const wait of [1000, 2000, 4000, 8000]) {
      await breakOff()
      await clock.advanceAsync(wait)
    }
    expect(server.current.requests('subscriptions/listen')).toHaveLength(5)
    await clock.advanceAsync(60_000)
    await breakOff()
    await clock.advanceAsync(1000)
    expect(server.current.requests('subscriptions/listen')).toHaveLength(6)
  })

  it('give the stream up where the server does not know it', async () => {
    const { start, clock, server, logged } = createSubscriber({
      server: { ...MODERN, on: { 'subscriptions/listen': () => ({ error: { code: -32601, message: 'unknown' } }) } },
    })
    await start()
    await clock.advanceAsync(600_000)
    expect(server.current.requests('subscriptions/listen')).toHaveLength(1)
    expect(logged('pool.subscribe')).toHaveLength(1)
  })

  it('leave no timer behind when the server is stopped', async () => {
    const { start, clock, upstream } = createSubscriber({
      server: { ...MODERN, on: { 'subscriptions/listen': () => ({}) } },
    })
    await start()
    expect(clock.pendingTimers()).toContain(1000)
    await upstream.stop()
    expect(clock.pendingTimers()).toEqual([])
  })
})
