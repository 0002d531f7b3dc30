import { SwitchboardError } from '@switchboard/protocol/errors'
import { createMemoryLogger } from '@switchboard/telemetry'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { SubscriptionHub } from '../src/subscription-hub.ts'
import { FakeProvider, resource } from './helpers/fake-provider.ts'
import { connectClient, createHarness, errorOf, resultOf } from './helpers/gateway-harness.ts'

const URI = 'doc://x'

function subscribable(name: string, answers: ConstructorParameters<typeof FakeProvider>[1] = {}): FakeProvider {
  return new FakeProvider(name, {
    catalog: { resources: [resource(URI)] },
    answers: { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) },
    ...answers,
  })
}

describe('a subscription', () => {
  it('is made once upstream, and ended by the last who leaves', async () => {
    const hub = new SubscriptionHub(createMemoryLogger())
    const p = subscribable('p')
    await hub.subscribe(p, URI, 'ann')
    await hub.subscribe(p, URI, 'bob')
    await hub.subscribe(p, URI, 'bob')
    expect(p.methods).toEqual(['resources/subscribe'])
    await hub.unsubscribe(p, URI, 'ann')
    await hub.unsubscribe(p, URI, 'ann')
    await hub.unsubscribe(p, URI, 'stranger')
    expect(p.methods).toEqual(['resources/subscribe'])
    expect([hub.findSubscribed('p', URI, 'ann'), hub.findSubscribed('p', URI, 'bob')]).toEqual([undefined, URI])
    await hub.unsubscribe(p, URI, 'bob')
    expect(p.methods).toEqual(['resources/subscribe', 'resources/unsubscribe'])
    await hub.subscribe(p, URI, 'ann')
    expect(p.methods).toHaveLength(3)
  })

  it('that fails, fails for everybody who waited for it, and can be tried again', async () => {
    const hub = new SubscriptionHub(createMemoryLogger())
    const gate = Promise.withResolvers<void>()
    let refuse = true
    const p = subscribable('p', {
      answers: {
        'resources/subscribe': async () => {
          await gate.promise
          if (refuse) throw new SwitchboardError('unknown_method', 'no subscriptions here')
          return {}
        },
      },
    })
    const both = Promise.allSettled([hub.subscribe(p, URI, 'ann'), hub.subscribe(p, URI, 'bob')])
    gate.resolve()
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(hub.findSubscribed('p', URI, 'bob')).toBeUndefined()
    refuse = false
    await hub.subscribe(p, URI, 'bob')
    expect(hub.findSubscribed('p', URI, 'bob')).toBe(URI)
  })

  it('of somebody who is gone is released, also when the server does not answer well', async () => {
    const log = createMemoryLogger()
    const hub = new SubscriptionHub(log)
    const p = new FakeProvider('p', { answers: { 'resources/subscribe': () => ({}) } })
    const gone = new FakeProvider('gone', { answers: { 'resources/subscribe': () => ({}) } })
    await hub.subscribe(p, URI, 'ann')
    await hub.subscribe(p, 'doc://y', 'ann')
    await hub.subscribe(p, 'doc://y', 'bob')
    await hub.subscribe(gone, URI, 'ann')
    hub.release('ann', [p])
    await waitFor(() => log.entries.length === 1, { what: 'the failed unsubscribe in the log' })
    expect(p.methods.filter((method) => method === 'resources/unsubscribe')).toHaveLength(1)
    expect(gone.methods).toEqual(['resources/subscribe'])
    for (const [name, uri] of [
      ['p', URI],
      ['p', 'doc://y'],
      ['gone', URI],
    ] as const)
      expect(hub.findSubscribed(name, uri, 'ann')).toBeUndefined()
    expect(hub.findSubscribed('p', 'doc://y', 'bob')).toBe('doc://y')
  })
})

describe('what one subscriber may want', () => {
  it('has a bound, which others do not feel and which those who leave give back', async () => {
    const hub = new SubscriptionHub(createMemoryLogger())
    const p = subscribable('p')
    for (let at = 0; at < 1_000; at++) await hub.subscribe(p, `doc://${at}`, 'ann')
    await expect(hub.subscribe(p, 'doc://more', 'ann')).rejects.toMatchObject({ code: 'rate_limited' })
    await hub.subscribe(p, 'doc://7', 'ann')
    await hub.subscribe(p, 'doc://more', 'bob')
    await hub.unsubscribe(p, 'doc://7', 'ann')
    await hub.subscribe(p, 'doc://more', 'ann')
    hub.release('ann', [p])
    await hub.subscribe(p, URI, 'ann')
    expect(hub.findSubscribed('p', 'doc://8', 'ann')).toBeUndefined()
    expect(hub.findSubscribed('p', 'doc://more', 'bob')).toBe('doc://more')
    expect(p.methods.filter((method) => method === 'resources/unsubscribe')).toHaveLength(1_000)
  })

  it('is no URI without end', async () => {
    const hub = new SubscriptionHub(createMemoryLogger())
    const p = subscribable('p')
    await expect(hub.subscribe(p, `doc://${'x'.repeat(8_192)}`, 'ann')).rejects.toMatchObject({ code: 'rate_limited' })
    expect(p.methods).toEqual([])
  })
})

describe('an update', () => {
  it('reaches the sessions that subscribed, under the URI they know', async () => {
    const [a, b] = [subscribable('a'), subscribable('b')]
    const { gateway } = createHarness([a, b])
    const [one, two] = [await connectClient(gateway), await connectClient(gateway)]
    await resultOf(one.request('resources/subscribe', { uri: 'switchboard+b:doc://x' }))
    await resultOf(two.request('resources/subscribe', { uri: URI }))
    b.simulateResourceUpdated(URI, { uri: URI, extra: 1 })
    const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated' }
    expect(one.channel.messages.at(-1)).toEqual({ ...updated, params: { uri: 'switchboard+b:doc://x', extra: 1 } })
    expect(two.channel.messages.some(({ method }) => method === updated.method)).toBe(false)
    a.simulateResourceUpdated(URI)
    expect(two.channel.messages.at(-1)).toEqual({ ...updated, params: { uri: URI } })
    await resultOf(one.request('resources/unsubscribe', { uri: 'switchboard+b:doc://x' }))
    const before = one.channel.sent.length
    b.simulateResourceUpdated(URI)
    expect(one.channel.sent.length).toBe(before)
  })

  it('goes on for one session of a window when another of its sessions ends', async () => {
    const p = subscribable('p')
    const { gateway } = createHarness([p])
    const identity = { instance: 'abcd-123456', profile: 'default', transport: 'test' }
    const [old, fresh] = [await connectClient(gateway, { identity }), await connectClient(gateway, { identity })]
    await old.request('resources/subscribe', { uri: URI })
    await fresh.request('resources/subscribe', { uri: URI })
    old.session.close('reconnected')
    p.simulateResourceUpdated(URI)
    expect(fresh.channel.messages.at(-1)).toMatchObject({ method: 'notifications/resources/updated' })
    expect(p.methods).toEqual(['resources/subscribe'])
    fresh.session.close('done')
    expect(p.methods).toEqual(['resources/subscribe', 'resources/unsubscribe'])
  })

  it('cannot be subscribed to where no server has the resource', async () => {
    const { gateway } = createHarness([subscribable('p')])
    const client = await connectClient(gateway)
    expect(await errorOf(client.request('resources/subscribe', { uri: 'doc://none' }))).toMatchObject({
      data: { error: { code: 'unknown_resource' } },
    })
  })
})
