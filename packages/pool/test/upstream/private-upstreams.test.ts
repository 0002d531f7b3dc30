import type { Call } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import type { Learned } from '../../src/cache/catalog-cache.ts'
import { PrivateUpstreams } from '../../src/upstream/private-upstreams.ts'
import { FakeServer, type FakeServerScript } from '../helpers/fake-server.ts'
import {
  createCall,
  createConfig,
  createEnvironment,
  createTool,
  failureOf,
  hold,
} from '../helpers/upstream-harness.ts'

function createPrivate(script: FakeServerScript = {}, learned: Learned = { era: 'legacy' }) {
  const server = new FakeServer(script)
  const made = createEnvironment(() => server, { learned })
  const provider = new PrivateUpstreams(createConfig({ shared: false }), made.environment)
  const call = (instance: string, more: Partial<Call> = {}) =>
    provider.request(
      'tools/call',
      { name: 'a', arguments: {} },
      createCall({ caller: { era: 'legacy', capabilities: { elicitation: {} }, instance }, ...more }),
    )
  return { ...made, server, provider, call, settle: () => made.clock.advanceAsync(0) }
}

describe('a private server', () => {
  it('has a process for every instance, and each calls its own', async () => {
    const { server, provider, call } = createPrivate()
    await Promise.all([call('one'), call('two'), call('one')])
    expect(server.starts).toHaveLength(2)
    expect(server.starts.map((start) => start.requests('tools/call').length)).toEqual([2, 1])
    expect(provider.statuses().map(({ owner }) => owner)).toEqual(['one', 'two'])
  })

  it('is not shared by callers whom nothing tells apart: without a credential they are refused, with one they are told apart', async () => {
    const { server, call } = createPrivate()
    const as = (lane: string) => call('', { caller: { era: 'modern', capabilities: {}, lane } })
    expect(await failureOf(as('connection:1'))).toMatchObject({
      code: 'caller_unknown',
      executed: false,
      message: expect.stringContaining('private to each agent'),
    })
    expect(server.starts).toEqual([])
    await Promise.all([as('credential:ann'), as('credential:eve'), as('credential:ann')])
    expect(server.starts.map((start) => start.requests('tools/call').length)).toEqual([2, 1])
  })

  it('lists the remembered catalog before anybody has one, and a live one afterwards', async () => {
    const remembered = {
      tools: [createTool('old')],
      resources: [],
      templates: [],
      prompts: [],
      instructions: '',
      capabilities: {},
    }
    const { provider, call, server } = createPrivate(
      { tools: [createTool('new')] },
      { era: 'legacy', catalog: remembered },
    )
    expect(provider.catalog().tools.map(({ name }) => name)).toEqual(['old'])
    expect(server.starts).toEqual([])
    await call('one')
    expect(provider.catalog().tools.map(({ name }) => name)).toEqual(['new'])
  })

  it('ends with its instance, and the others go on', async () => {
    const { server, provider, call } = createPrivate()
    await Promise.all([call('one'), call('two')])
    await provider.releaseCaller('one')
    await provider.releaseCaller('nobody')
    expect(server.alive).toBe(1)
    expect(provider.statuses().map(({ owner }) => owner)).toEqual(['two'])
    await expect(call('two')).resolves.toBeDefined()
  })

  it('fails its own instance after one retry and no other', async () => {
    const { server, provider, call, clock } = createPrivate()
    await call('good')
    server.script.on = { initialize: () => ({ exit: { reason: 'exit', message: 'broken' } }) }
    const failure = failureOf(call('bad'))
    await clock.advanceAsync(10_000)
    expect(await failure).toMatchObject({ code: 'restart_failed' })
    expect(provider.statuses().map(({ state }) => state)).toEqual(['ready', 'failed'])
    await expect(call('good')).resolves.toBeDefined()
  })

  it("has its questions answered by its owner, however many of the owner's calls are in flight", async () => {
    const { server, call, settle } = createPrivate({ on: { 'tools/call': hold } })
    const asked: string[] = []
    for (const instance of ['one', 'one', 'two']) {
      const ask = () => {
        asked.push(instance)
        return Promise.resolve({ 7: { action: 'accept' } })
      }
      void call(instance, { ask }).catch(() => {})
    }
    await settle()
    server.starts[0]?.simulateQuestion(7, 'elicitation/create')
    await settle()
    expect(asked).toEqual(['one'])
    expect(server.starts[0]?.answerTo(7)).toMatchObject({ result: { action: 'accept' } })
  })

  it('starts nothing more once it is stopped, also for an owner who comes later', async () => {
    const { server, provider, call } = createPrivate()
    await call('one')
    await provider.stop()
    expect(server.alive).toBe(0)
    expect(await failureOf(call('one'))).toMatchObject({ code: 'server_stopped' })
    expect(await failureOf(call('two'))).toMatchObject({ code: 'server_stopped' })
    expect(server.starts).toHaveLength(1)
  })

  it('is stopped only when the process of an instance that just left is gone too', async () => {
    const { server, provider, call, settle } = createPrivate({ closesSlowly: true })
    await call('one')
    void provider.releaseCaller('one')
    let stopped = false
    const stopping = provider.stop().then(() => {
      stopped = true
    })
    await settle()
    expect(stopped).toBe(false)
    server.current.simulateClosed()
    await stopping
  })

  it('announces states, catalogs and updates of all its processes', async () => {
    const { server, provider, call } = createPrivate({ tools: [createTool('a')] })
    const heard: unknown[] = []
    provider.onCatalogChange((parts) => heard.push(parts))
    provider.onResourceUpdated((uri) => heard.push(uri))
    provider.onNotice((method, params) => heard.push([method, params]))
    const states = provider.onStateChange(({ kind }) => heard.push(kind))
    await call('one')
    server.current.simulateNotification('notifications/resources/updated', { uri: 'a:b' })
    server.current.simulateNotification('notifications/elicitation/complete', { elicitationId: 'e' })
    states.dispose()
    await provider.stop()
    const notice = ['notifications/elicitation/complete', { elicitationId: 'e' }]
    expect(heard).toEqual(['starting', ['tools'], 'ready', 'a:b', notice])
  })

  it('is told what concerns one owner on that one’s process alone, and starts none for it', async () => {
    const { server, provider, call } = createPrivate()
    await Promise.all([call('one'), call('two')])
    const method = 'notifications/roots/list_changed'
    for (const caller of [{ instance: 'one' }, { instance: 'nobody' }, { lane: 'connection:1' }]) {
      provider.notify(method, { era: 'legacy', capabilities: {}, ...caller })
    }
    expect(server.starts.map((start) => start.notifications(method).length)).toEqual([1, 0])
  })
})
