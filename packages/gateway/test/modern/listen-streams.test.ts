import type { JsonObject } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { FakeProvider, resource, tool } from '../helpers/fake-provider.ts'
import {
  askModern,
  createHarness,
  errorOf,
  type Harness,
  type ModernAnswer,
  resultOf,
} from '../helpers/gateway-harness.ts'

const ID = 'io.modelcontextprotocol/subscriptionId'
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

function createProvider(name: string, uris: string[] = ['doc://x']): FakeProvider {
  return new FakeProvider(name, {
    catalog: { tools: [tool('t')], resources: uris.map(resource) },
    answers: { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) },
  })
}

interface Stream extends ModernAnswer {
  stop(): void
  methods(): string[]
}

async function listen({ gateway }: Harness, filter: JsonObject, id: string | number = 'l'): Promise<Stream> {
  const controller = new AbortController()
  const answer = askModern(
    gateway,
    'subscriptions/listen',
    { notifications: filter },
    { signal: controller.signal, id },
  )
  await answer.waitForNotification(ACKNOWLEDGED)
  return {
    ...answer,
    stop: () => controller.abort(),
    methods: () => answer.notifications.map(({ method }) => method),
  }
}

describe('a listen stream', () => {
  it('honours a thousand resources, and no more', async () => {
    const uris = Array.from({ length: 1_500 }, (_, at) => `doc://${at}`)
    const { notifications, stop } = await listen(createHarness([createProvider('p', uris)]), {
      resourceSubscriptions: uris,
    })
    expect(notifications).toMatchObject([
      { params: { notifications: { resourceSubscriptions: uris.slice(0, 1_000) } } },
    ])
    stop()
  })

  it('begins with the acknowledgement of what it honours', async () => {
    const harness = createHarness([createProvider('p')])
    const { notifications, stop } = await listen(
      harness,
      {
        toolsListChanged: true,
        promptsListChanged: false,
        resourcesListChanged: 'yes',
        resourceSubscriptions: ['doc://none', 'doc://x', 'doc://x', 7],
        taskIds: ['t'],
        vendor: true,
      },
      7,
    )
    expect(notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: ACKNOWLEDGED,
        params: { _meta: { [ID]: 7 }, notifications: { toolsListChanged: true, resourceSubscriptions: ['doc://x'] } },
      },
    ])
    stop()
  })

  it('acknowledges before anything else, also when lists change while it is being opened', async () => {
    const gate = Promise.withResolvers<void>()
    const p = new FakeProvider('p', {
      catalog: { resources: [resource('doc://x')] },
      answers: { 'resources/subscribe': () => gate.promise.then(() => ({})), 'resources/unsubscribe': () => ({}) },
    })
    const harness = createHarness([p])
    const opening = listen(harness, { toolsListChanged: true, resourceSubscriptions: ['doc://x'] })
    p.simulateCatalog({}, ['tools'])
    p.simulateResourceUpdated('doc://x')
    gate.resolve()
    const stream = await opening
    p.simulateCatalog({}, ['tools'])
    expect(stream.methods()).toEqual([ACKNOWLEDGED, 'notifications/tools/list_changed'])
    stream.stop()
  })

  it('hears only what it asked for, marked with its own id', async () => {
    const p = createProvider('p')
    const harness = createHarness([p])
    const tools = await listen(harness, { toolsListChanged: true }, 1)
    const rest = await listen(harness, { promptsListChanged: true, resourcesListChanged: true }, 'two')
    p.simulateCatalog({}, ['tools', 'resources', 'prompts'])
    expect(tools.methods()).toEqual([ACKNOWLEDGED, 'notifications/tools/list_changed'])
    expect(rest.methods()).toEqual([
      ACKNOWLEDGED,
      'notifications/resources/list_changed',
      'notifications/prompts/list_changed',
    ])
    expect(tools.notifications[1]?.params).toEqual({ _meta: { [ID]: 1 } })
    expect(rest.notifications[1]?.params).toEqual({ _meta: { [ID]: 'two' } })
    tools.stop()
    rest.stop()
  })

  it('hears of its resources under the URIs it knows, and of no others', async () => {
    const [a, b] = [createProvider('a'), createProvider('b', ['doc://x', 'doc://y'])]
    const harness = createHarness([a, b])
    const stream = await listen(harness, { resourceSubscriptions: ['switchboard+b:doc://x'] })
    a.simulateResourceUpdated('doc://x')
    b.simulateResourceUpdated('doc://y')
    b.simulateResourceUpdated('doc://x', { uri: 'doc://x', title: 'X', _meta: { 'vendor/x': 1 } })
    expect(stream.notifications.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri: 'switchboard+b:doc://x', title: 'X', _meta: { 'vendor/x': 1, [ID]: 'l' } },
      },
    ])
    stream.stop()
  })

  it('hears of a resource that nobody lists, where only one server has resources', async () => {
    const answers = { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) }
    const p = new FakeProvider('p', { catalog: { capabilities: { resources: { subscribe: true } } }, answers })
    const harness = createHarness([p, new FakeProvider('q')])
    const stream = await listen(harness, { resourceSubscriptions: ['hidden://x'] })
    expect(stream.notifications[0]?.params).toMatchObject({ notifications: { resourceSubscriptions: ['hidden://x'] } })
    p.simulateResourceUpdated('hidden://x')
    expect(stream.notifications[1]).toMatchObject({ params: { uri: 'hidden://x' } })
    stream.stop()
  })

  it('shares what is subscribed upstream, and gives it back at its end', async () => {
    const p = createProvider('p')
    const harness = createHarness([p])
    const one = await listen(harness, { resourceSubscriptions: ['doc://x'] })
    const two = await listen(harness, { resourceSubscriptions: ['doc://x'] })
    expect(p.methods).toEqual(['resources/subscribe'])
    one.stop()
    await one.response
    p.simulateResourceUpdated('doc://x')
    expect([one.methods().length, two.methods().length]).toEqual([1, 2])
    expect(p.methods).toEqual(['resources/subscribe'])
    two.stop()
    await two.response
    await waitFor(() => p.methods.includes('resources/unsubscribe'), { what: 'the end of the subscription' })
    expect(harness.gateway.listenCount).toBe(0)
  })

  it('leaves out a resource whose server has no subscriptions', async () => {
    const p = new FakeProvider('p', { catalog: { resources: [resource('doc://x')] } })
    const stream = await listen(createHarness([p]), { resourceSubscriptions: ['doc://x'] })
    expect(stream.notifications[0]?.params).toMatchObject({ notifications: { resourceSubscriptions: [] } })
    stream.stop()
  })

  it('ends with an empty result that names it, when the gateway closes', async () => {
    const harness = createHarness([createProvider('p')])
    const stream = await listen(harness, { toolsListChanged: true }, 'mine')
    harness.gateway.close()
    expect(await resultOf(stream)).toMatchObject({ resultType: 'complete', _meta: { [ID]: 'mine' } })
    expect(harness.gateway.listenCount).toBe(0)
    const late = askModern(harness.gateway, 'subscriptions/listen', { notifications: {} })
    expect(await resultOf(late)).toMatchObject({ resultType: 'complete' })
  })

  it('that nobody reads from the start leaves nothing behind', async () => {
    const p = createProvider('p')
    const { gateway } = createHarness([p])
    const params = { notifications: { resourceSubscriptions: ['doc://x'] } }
    await askModern(gateway, 'subscriptions/listen', params, { signal: AbortSignal.abort() }).response
    expect(gateway.listenCount).toBe(0)
    await waitFor(() => p.methods.includes('resources/unsubscribe'), { what: 'the end of the subscription' })
  })

  it.each([{}, { notifications: null }, { notifications: [] }])('with %j is refused', async (params) => {
    expect(await errorOf(askModern(createHarness([]).gateway, 'subscriptions/listen', params))).toMatchObject({
      data: { error: { code: 'invalid_request' } },
    })
  })
})
