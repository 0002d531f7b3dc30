/** The numbers are those of the invariants in `told-resources.ts`. */
import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { FakeProvider, prompt, resource, template, tool } from './helpers/fake-provider.ts'
import { ANYBODY, askModern, connectClient, createHarness, errorOf, resultOf } from './helpers/gateway-harness.ts'

interface Telling {
  readonly resources?: readonly string[]
  readonly templates?: readonly string[]
  /** What the tool `tell` answers with. */
  readonly content?: readonly JsonObject[]
}

const link = (uri: string): JsonObject => ({ type: 'resource_link', uri, name: 'a link' })
const embedded = (uri: string): JsonObject => ({ type: 'resource', resource: { uri, text: 'inside' } })

/** Its resources say whose they are; also those that it does not list. */
function telling(name: string, { resources = [], templates = [], content = [] }: Telling = {}): FakeProvider {
  return new FakeProvider(name, {
    catalog: {
      tools: [tool('tell'), tool('app', { _meta: { ui: { resourceUri: 'ui://app' } } })],
      prompts: [prompt('tell')],
      resources: resources.map(resource),
      templates: templates.map(template),
      capabilities: { resources: {}, tools: {}, prompts: {} },
    },
    answers: {
      'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: 'see' }, ...content], args }),
      'prompts/get': () => ({ messages: content.map((block) => ({ role: 'user', content: block })) }),
      'resources/read': ({ uri }) => ({
        contents: [
          { uri, text: name },
          { uri: `${uri}/part`, text: name },
        ],
      }),
      'resources/subscribe': () => ({}),
      'resources/unsubscribe': () => ({}),
    },
  })
}

type Asks = (method: string, params: JsonObject) => Parameters<typeof resultOf>[0]

async function read(ask: Asks, uri: string): Promise<unknown> {
  const { contents } = await resultOf(ask('resources/read', { uri }))
  return Array.isArray(contents) ? contents[0].text : contents
}

describe('a resource that a result tells of', () => {
  it.each([
    ['a link that no list holds', 'x://1', {}],
    ['a link that another server lists as well', 'x://1', { resources: ['x://1'] }],
    ['a link that fits a template of another server', 'x://1', { templates: ['x://{id}'] }],
    ["a link that looks like another server's", 'switchboard+first:x://1', { resources: ['x://1'] }],
    ['an app that another server lists as well', 'ui://page', { resources: ['ui://page'] }],
  ])('is read from the server that told of it: %s (1)', async (_what, uri, first) => {
    for (const block of [link(uri), embedded(uri)]) {
      const { gateway } = createHarness([telling('first', first), telling('second', { content: [block] })])
      for (const [method, name] of [
        ['tools/call', 'second_tell'],
        ['prompts/get', 'second_tell'],
      ] as const) {
        const client = await connectClient(gateway)
        const told = await resultOf(client.request(method, { name }))
        expect(JSON.stringify(told), 'it passes unchanged').toContain(JSON.stringify(block))
        expect(await read(client.request, uri)).toBe('second')
        expect(await read(client.request, `${uri}/part`), 'what it holds besides').toBe('second')
      }
    }
  })

  it('is told by the last who told it, and by nobody who is not in the profile (1)', async () => {
    const content = [link('x://1')]
    const { gateway, source } = createHarness([telling('one', { content }), telling('two', { content })])
    const client = await connectClient(gateway)
    await client.request('tools/call', { name: 'one_tell' })
    await client.request('tools/call', { name: 'two_tell' })
    expect(await read(client.request, 'x://1')).toBe('two')
    await client.request('tools/call', { name: 'one_tell' })
    expect(await read(client.request, 'x://1')).toBe('one')
    source.simulateProviders([telling('two'), telling('three')])
    expect(await errorOf(client.request('resources/read', { uri: 'x://1' }))).toMatchObject({
      data: { error: { code: 'unknown_resource' } },
    })
  })

  it('is nothing to a caller who was not told, and to nobody once its session is over (2)', async () => {
    const content = [link('x://1'), link('x://2')]
    const { gateway } = createHarness([telling('a', { resources: ['x://1'] }), telling('b', { content })])
    const told = await connectClient(gateway, { id: 'told' })
    const other = await connectClient(gateway)
    await told.request('tools/call', { name: 'b_tell' })
    expect(await read(told.request, 'x://1')).toBe('b')
    expect(await read(other.request, 'x://1')).toBe('a')
    await errorOf(other.request('resources/read', { uri: 'x://2' }))
    told.session.close('it goes')
    const again = await connectClient(gateway, { id: 'told' })
    expect(await read(again.request, 'x://1')).toBe('a')
  })

  it('is subscribed to where it was told, and heard of under the same URI', async () => {
    const second = telling('second', { content: [link('x://1')] })
    const { gateway } = createHarness([telling('first', { resources: ['x://1'] }), second])
    const client = await connectClient(gateway)
    await client.request('tools/call', { name: 'second_tell' })
    await resultOf(client.request('resources/subscribe', { uri: 'x://1' }))
    expect(second.lastParams).toEqual({ uri: 'x://1' })
    second.simulateResourceUpdated('x://1')
    await client.channel.waitFor(({ method, params }) => {
      return method === 'notifications/resources/updated' && (params as JsonObject).uri === 'x://1'
    })
  })

  it('may be the page of an app that its tool names', async () => {
    const { gateway } = createHarness([telling('first', { resources: ['ui://app'] }), telling('second')])
    const client = await connectClient(gateway)
    expect(await read(client.request, 'ui://app')).toBe('first')
    await client.request('tools/call', { name: 'second_app' })
    expect(await read(client.request, 'ui://app')).toBe('second')
  })

  it('is found by a modern agent with a token, by whatever connection it comes', async () => {
    const { gateway } = createHarness([
      telling('first', { resources: ['x://1'] }),
      telling('second', { content: [link('x://1')] }),
    ])
    const ask = (connection: string): Asks => {
      const identity = { ...ANYBODY, credential: 'laptop', connection }
      return (method, params) => askModern(gateway, method, params, { identity })
    }
    await resultOf(ask('1')('tools/call', { name: 'second_tell' }))
    expect(await read(ask('2'), 'x://1')).toBe('second')
  })
})

describe('callers whom only their connection tells apart (3)', () => {
  const content = [link('x://1'), embedded('x://1'), link('x://2')]
  const open = (): ((connection: string) => Asks) => {
    const { gateway } = createHarness([telling('first', { resources: ['x://1'] }), telling('second', { content })])
    return (connection) => (method, params) =>
      askModern(gateway, method, params, { identity: { ...ANYBODY, connection } })
  }

  it("get a link that would lead elsewhere under its server's name, and read it by any connection", async () => {
    const ask = open()
    const { content: told } = await resultOf(ask('1')('tools/call', { name: 'second_tell' }))
    const qualified = 'switchboard+second:x://1'
    expect(told).toEqual([{ type: 'text', text: 'see' }, link(qualified), embedded(qualified), link('x://2')])
    expect(await read(ask('2'), qualified)).toBe('second')
    const { messages } = await resultOf(ask('1')('prompts/get', { name: 'second_tell' }))
    expect(messages).toMatchObject([{ role: 'user', content: link(qualified) }, {}, { content: link('x://2') }])
  })

  it('read what they were told by the same connection, and what no list holds by any', async () => {
    const ask = open()
    await resultOf(ask('1')('tools/call', { name: 'second_tell' }))
    expect(await read(ask('1'), 'x://1')).toBe('second')
    expect(await read(ask('2'), 'x://1'), 'another one, by the list').toBe('first')
    expect(await read(ask('2'), 'x://2')).toBe('second')
  })

  it('are not given what several servers told of', async () => {
    const { gateway } = createHarness([
      telling('a', { content: [link('x://1')] }),
      telling('b', { content: [link('x://1')] }),
    ])
    const ask =
      (connection: string): Asks =>
      (method, params) =>
        askModern(gateway, method, params, { identity: { ...ANYBODY, connection } })
    await resultOf(ask('1')('tools/call', { name: 'a_tell' }))
    await resultOf(ask('2')('tools/call', { name: 'b_tell' }))
    expect([await read(ask('1'), 'x://1'), await read(ask('2'), 'x://1')]).toEqual(['a', 'b'])
    const { message } = await errorOf(ask('3')('resources/read', { uri: 'x://1' }))
    expect(message).toContain('"switchboard+<server>:<uri>"')
    expect(await read(ask('3'), 'switchboard+b:x://1')).toBe('b')
  })
})

describe('the memory of what was told', () => {
  it('is bounded for each caller, the oldest first', async () => {
    const b = telling('b', { content: Array.from({ length: 1_002 }, (_, index) => link(`x://${index}`)) })
    const { gateway } = createHarness([telling('a'), b])
    const client = await connectClient(gateway)
    await client.request('tools/call', { name: 'b_tell' })
    await errorOf(client.request('resources/read', { uri: 'x://1' }))
    expect(await read(client.request, 'x://1001')).toBe('b')
    expect(await read(client.request, 'x://3')).toBe('b')
  })

  it('is bounded for all together, those first who were told nothing for the longest time', async () => {
    const long = 'y'.repeat(8_000)
    const b = telling('b', { content: Array.from({ length: 1_000 }, (_, index) => link(`x://${index}/${long}`)) })
    const { gateway } = createHarness([telling('a', { content: [link('z://1')] }), b])
    const [early, ...others] = await Promise.all([1, 2, 3, 4].map(() => connectClient(gateway)))
    await early?.request('tools/call', { name: 'a_tell' })
    for (const client of others) await client.request('tools/call', { name: 'b_tell' })
    expect(await read(others[1]?.request as Asks, `x://999/${long}`)).toBe('b')
    await errorOf(early?.request('resources/read', { uri: 'z://1' }) as Promise<JsonObject>)
  })
})
