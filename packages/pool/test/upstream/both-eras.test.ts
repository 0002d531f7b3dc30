import type { Caller, Era } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import type { RemoteServerConfig } from '../../src/config/server-config.ts'
import { SHARED_POLICY } from '../../src/supervision/policy.ts'
import { BothEras } from '../../src/upstream/both-eras.ts'
import { createUpstream } from '../../src/upstream/create-upstream.ts'
import { Upstream } from '../../src/upstream/upstream.ts'
import { FakeServer, type FakeServerScript } from '../helpers/fake-server.ts'
import type { FakeTransport } from '../helpers/fake-transport.ts'
import {
  createCall,
  createConfig,
  createEnvironment,
  createRemoteConfig,
  createTool,
} from '../helpers/upstream-harness.ts'

const CALLER: Readonly<Record<Era, Caller>> = {
  legacy: { era: 'legacy', session: 'old', capabilities: {} },
  modern: { era: 'modern', lane: 'new', capabilities: {} },
}

function createRemote(script: FakeServerScript, config: Partial<RemoteServerConfig> = {}) {
  const server = new FakeServer({ kind: 'http', ...script })
  const made = createEnvironment(() => server)
  const upstream = createUpstream({
    config: createRemoteConfig(config),
    environment: made.environment,
    policy: SHARED_POLICY,
  })
  const call = (era: Era) =>
    upstream.request('tools/call', { name: 'a', arguments: {} }, createCall({ caller: CALLER[era] }))
  /** How many calls came by a connection of that era. */
  const calls = (era: Era): number =>
    server.starts
      .filter(({ protocol }) => protocol?.era === era)
      .reduce((sum, transport) => sum + transport.requests('tools/call').length, 0)
  const initializes = (): number =>
    server.starts.reduce((sum, transport) => sum + transport.requests('initialize').length, 0)
  return {
    ...made,
    server,
    upstream,
    call,
    calls,
    initializes,
    async start(): Promise<void> {
      upstream.start()
      await waitFor(() => upstream.state.kind === 'ready')
    },
  }
}

const spoken = ({ starts }: FakeServer): (Era | undefined)[] => starts.map(({ protocol }) => protocol?.era)

describe('a server of both eras over HTTP', () => {
  it('is spoken to in the era of each caller', async () => {
    const { start, call, calls, server, upstream } = createRemote({ era: 'dual' })
    await start()
    await call('modern')
    await call('legacy')
    await call('legacy')
    expect(spoken(server)).toEqual(['modern', 'legacy'])
    expect([calls('modern'), calls('legacy')]).toEqual([1, 2])
    expect(upstream.status()).toMatchObject({ state: 'ready', era: 'modern', eras: ['modern', 'legacy'], calls: 3 })
  })

  it('is spoken to in the right era also by whoever calls while it starts', async () => {
    const { upstream, call, calls } = createRemote({ era: 'dual' })
    upstream.start()
    await Promise.all([call('legacy'), call('modern')])
    expect([calls('modern'), calls('legacy')]).toEqual([1, 1])
  })

  it('is started by the first call of either era', async () => {
    const { call, calls } = createRemote({ era: 'dual' }, { start: 'lazy' })
    await call('legacy')
    expect([calls('modern'), calls('legacy')]).toEqual([0, 1])
  })

  it('says of its tools what either era says', async () => {
    const tools = [createTool('a'), createTool('b')]
    const task = { ...createTool('a'), execution: { taskSupport: 'optional' } }
    const { start, upstream, call } = createRemote({
      era: 'dual',
      tools,
      on: {
        'tools/list': (_params, { protocol }) => ({ tools: protocol?.era === 'legacy' ? [task, tools[1]] : tools }),
        initialize: () => ({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, tasks: { list: {} } },
          serverInfo: { name: 'fake', version: '1' },
        }),
      },
    })
    const told: (readonly string[])[] = []
    upstream.onCatalogChange((parts) => told.push(parts))
    await start()
    await call('legacy')
    expect(upstream.catalog().tools).toEqual([task, tools[1]])
    expect(upstream.catalog().capabilities).toEqual({ tools: {}, tasks: { list: {} } })
    expect(told).toEqual([['tools'], ['tools']])
  })

  it('is told the level of its log messages in the era that keeps one', async () => {
    const { start, upstream, server, call } = createRemote({ era: 'dual', on: { 'logging/setLevel': () => ({}) } })
    await start()
    await upstream.request('logging/setLevel', { level: 'debug' }, createCall())
    await call('legacy')
    const levels = server.starts.map((transport) => transport.requests('logging/setLevel').length)
    expect(levels).toEqual([0, 1])
  })

  it('is followed by one connection, whoever wants to hear of a resource', async () => {
    const { start, upstream, server, call } = createRemote({
      era: 'dual',
      capabilities: { tools: {}, resources: { subscribe: true } },
    })
    await start()
    await call('legacy')
    await upstream.request('resources/subscribe', { uri: 'x:y' }, createCall({ caller: CALLER.legacy }))
    const [main, other] = server.starts
    expect(main?.requests('subscriptions/listen')).toHaveLength(1)
    expect(other?.requests('resources/subscribe')).toHaveLength(0)
  })

  it('has both connections closed when it is stopped, and opens both again', async () => {
    const { start, upstream, server, call, calls } = createRemote({ era: 'dual' })
    await start()
    await call('legacy')
    expect(server.alive).toBe(2)
    await upstream.stop()
    expect(server.alive).toBe(0)
    await start()
    await call('legacy')
    expect(spoken(server)).toEqual(['modern', 'legacy', 'modern', 'legacy'])
    expect(calls('legacy')).toBe(2)
  })

  it('answers the callers of one era while the connection of the other is lost', async () => {
    const { start, call, server, clock, calls } = createRemote({ era: 'dual' })
    await start()
    await call('legacy')
    const [, legacy] = server.starts
    legacy?.simulateExit({ reason: 'session_expired', message: 'the session is unknown' })
    await call('modern')
    await clock.advanceAsync(0)
    await call('legacy')
    expect(spoken(server)).toEqual(['modern', 'legacy', 'legacy'])
    expect([calls('modern'), calls('legacy')]).toEqual([1, 2])
  })

  it('gets its modern connection when it answers the question for its era late', async () => {
    const { start, call, calls, server, cache } = createRemote({
      era: 'dual',
      on: { 'server/discover': () => undefined },
    })
    await start()
    await call('modern')
    expect([calls('modern'), calls('legacy')]).toEqual([0, 1])
    const [main] = server.starts as [FakeTransport]
    server.script.on = {}
    const late = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
    main.simulateResult(main.requests('server/discover')[0]?.id ?? 'none', late)
    await waitFor(() => server.starts.length === 2)
    await call('modern')
    await call('legacy')
    expect(spoken(server)).toEqual(['legacy', 'modern'])
    expect([calls('modern'), calls('legacy')]).toEqual([1, 2])
    expect(cache.learned.era).toBe('modern')
  })
})

describe('a server of one era over HTTP', () => {
  it('is spoken to in the modern one by all, where it refuses the other without a complaint of ours', async () => {
    const { start, call, calls, initializes, clock, log, upstream } = createRemote({ era: 'modern' })
    await start()
    await call('legacy')
    await call('modern')
    expect(calls('modern')).toBe(2)
    await clock.advanceAsync(120_000)
    expect(initializes()).toBe(1)
    expect(log.entries.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    expect(upstream.status()).not.toHaveProperty('eras')
  })

  it('is spoken to in the legacy one by all, on one connection', async () => {
    const { start, call, calls, server } = createRemote({ era: 'legacy' })
    await start()
    await call('modern')
    await call('legacy')
    expect(calls('legacy')).toBe(2)
    expect(server.starts).toHaveLength(1)
  })

  it('is asked again for the other one when that failed for another reason, and serves all meanwhile', async () => {
    let failures = 0
    const { start, call, calls, clock } = createRemote({
      era: 'dual',
      on: {
        initialize: () => {
          if (failures++ === 0) return { exit: { reason: 'network', message: 'connection reset' } }
          return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'f', version: '1' } }
        },
      },
    })
    await start()
    await call('legacy')
    expect([calls('modern'), calls('legacy')]).toEqual([1, 0])
    await clock.advanceAsync(100)
    await waitFor(async () => {
      await call('legacy')
      return calls('legacy') > 0
    })
  })
})

describe('the way to a server', () => {
  it('is one of both eras over HTTP only, and where no era is asked for', () => {
    const { environment } = createEnvironment(() => new FakeServer())
    const create = (config: Parameters<typeof createUpstream>[0]['config']) =>
      createUpstream({ config, environment, policy: SHARED_POLICY })
    expect(create(createRemoteConfig())).toBeInstanceOf(BothEras)
    expect(create(createRemoteConfig({ era: 'legacy' }))).toBeInstanceOf(Upstream)
    expect(create(createRemoteConfig({ type: 'websocket', url: 'wss://example.test/ws' }))).toBeInstanceOf(Upstream)
    expect(create(createConfig())).toBeInstanceOf(Upstream)
  })
})
