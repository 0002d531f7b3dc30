import { describe, expect, it } from 'vitest'
import type { PoolConfig } from '../src/config/pool-section.ts'
import type { StdioServerConfig } from '../src/config/server-config.ts'
import type { PoolEvent } from '../src/events.ts'
import { ServerSet } from '../src/server-set.ts'
import { FakeServer, type FakeServerScript } from './helpers/fake-server.ts'
import { EXITED } from './helpers/fake-transport.ts'
import { createCall, createConfig, createEnvironment, createTool, failureOf, hold } from './helpers/upstream-harness.ts'

function createSet(
  servers: Record<string, Partial<StdioServerConfig>>,
  scripts: Record<string, FakeServerScript> = {},
  queues: PoolConfig['queues'] = {},
) {
  const fakes = new Map<string, FakeServer>()
  const fake = (name: string): FakeServer => {
    const known = fakes.get(name) ?? new FakeServer(scripts[name])
    fakes.set(name, known)
    return known
  }
  const { environment, clock } = createEnvironment(fake, { learned: { era: 'legacy' } })
  const events: PoolEvent[] = []
  const createPoolConfig = (of: Record<string, Partial<StdioServerConfig>>): PoolConfig => ({
    servers: Object.entries(of).map(([name, config]) => createConfig({ name, ...config })),
    misconfigured: [],
    queues,
    startParallelism: 8,
    definitions: 'pin',
  })
  const set = new ServerSet(createPoolConfig(servers), environment, undefined, (event) => events.push(event))
  return { set, clock, events, fake, createPoolConfig, settle: () => clock.advanceAsync(0) }
}

describe('ServerSet', () => {
  it('starts the eager ones and leaves lazy and disabled ones alone', async () => {
    const { set, settle, fake } = createSet({ a: {}, lazy: { start: 'lazy' }, off: { enabled: false } })
    set.start({ learns: false })
    await settle()
    expect(set.statuses().map(({ name, state }) => [name, state])).toEqual([
      ['a', 'ready'],
      ['lazy', 'idle'],
      ['off', 'disabled'],
    ])
    expect(fake('off').starts).toEqual([])
    expect(set.providers().map(({ name }) => name)).toEqual(['a', 'lazy'])
  })

  it('starts a lazy one of which nothing is known to learn what it offers, and lets it rest again', async () => {
    const { set, settle, fake, clock } = createSet({ lazy: { start: 'lazy' } }, { lazy: { tools: [createTool('t')] } })
    set.start({ learns: true })
    await settle()
    expect(
      set
        .providers()[0]
        ?.catalog()
        .tools.map(({ name }) => name),
    ).toEqual(['t'])
    await clock.advanceAsync(5_000)
    expect(set.statuses()).toMatchObject([{ state: 'idle', tools: 1, stale: true }])
    fake('lazy').current.simulateClosed()
    await set.stop('lazy')
  })

  it('looks once at one that each window has for itself, and keeps none for nobody', async () => {
    const own = { shared: false, privateReason: 'it drives a browser' }
    const { set, settle, fake, clock } = createSet({ browser: own }, { browser: { tools: [createTool('t')] } })
    set.start({ learns: true })
    await settle()
    expect(
      set
        .providers()[0]
        ?.catalog()
        .tools.map(({ name }) => name),
    ).toEqual(['t'])
    await clock.advanceAsync(5_000)
    expect(set.statuses()).toMatchObject([{ state: 'idle', tools: 1, shared: false }])
    const call = createCall({ caller: { era: 'legacy', capabilities: {}, instance: 'window' } })
    await set.provider('browser').request('tools/call', { name: 't', arguments: {} }, call)
    expect(set.statuses()).toMatchObject([{ state: 'ready', owner: 'window' }])
    expect(fake('browser').starts).toHaveLength(2)
  })

  it('leaves a lazy one running that was taken into use meanwhile', async () => {
    const { set, settle, clock } = createSet({ lazy: { start: 'lazy' } }, { lazy: { tools: [createTool('t')] } })
    set.start({ learns: true })
    await settle()
    const params = { name: 't', arguments: {} }
    await set.provider('lazy').request('tools/call', params, createCall())
    await clock.advanceAsync(60_000)
    expect(set.statuses()).toMatchObject([{ state: 'ready' }])
  })

  it('shows a server whose entry is wrong as that, says why, and runs the others', async () => {
    const { set, settle, events, createPoolConfig } = createSet({ a: {} })
    const wrong = { name: 'v', problems: [], reason: 'the variable T is not set' }
    set.start({ learns: false })
    await settle()
    events.length = 0
    await set.reconfigure({ ...createPoolConfig({ a: {} }), misconfigured: [wrong] }, { learns: false })
    expect(events.map(({ type }) => type)).toEqual(['servers_changed'])
    expect(set.statuses()).toMatchObject([
      { name: 'a', state: 'ready' },
      { name: 'v', state: 'misconfigured', reason: wrong.reason, tools: 0 },
    ])
    expect(set.providers().map(({ name }) => name)).toEqual(['a', 'v'])
    const failure = { code: 'server_misconfigured', message: expect.stringContaining('T is not set') }
    expect(await failureOf(Promise.resolve().then(() => set.restart('v')))).toMatchObject(failure)
    const provider = set.providers()[1]
    if (provider === undefined) throw new Error('There is no provider')
    expect(await failureOf(provider.request('tools/call', { name: 't' }, createCall()))).toMatchObject(failure)
    // The same again is no change; right again is one.
    events.length = 0
    await set.reconfigure({ ...createPoolConfig({ a: {} }), misconfigured: [wrong] }, { learns: false })
    expect(events).toEqual([])
    await set.reconfigure(createPoolConfig({ a: {}, v: {} }), { learns: false })
    await settle()
    expect(set.statuses()).toMatchObject([{ name: 'a' }, { name: 'v', state: 'ready' }])
  })

  it('tells of a wrong entry beside the server that goes on as it was before', async () => {
    const { set, settle, createPoolConfig } = createSet({ a: {} })
    set.start({ learns: false })
    await settle()
    const misconfigured = [{ name: 'a', problems: [], reason: 'unknown key' }]
    await set.reconfigure({ ...createPoolConfig({ a: {} }), misconfigured }, { learns: false })
    expect(set.statuses()).toMatchObject([{ name: 'a', state: 'ready', entryProblem: 'unknown key' }])
    expect(set.providers()).toHaveLength(1)
  })

  it('refuses a disabled server and suggests the nearest name for an unknown one', () => {
    const { set } = createSet({ filesystem: {}, off: { enabled: false } })
    expect(() => set.provider('off')).toThrow(expect.objectContaining({ code: 'server_disabled' }))
    expect(() => set.provider('filesytem')).toThrow(
      expect.objectContaining({ code: 'unknown_server', hint: 'Did you mean "filesystem"?' }),
    )
  })

  it('is settled when every server is ready or has failed once, however long a silent one takes', async () => {
    const { set, settle, fake } = createSet(
      { good: {}, bad: {}, silent: {} },
      {
        bad: { failsToOpen: EXITED },
        silent: { on: { initialize: hold } },
      },
    )
    set.start({ learns: false })
    let isSettled = false
    const settled = set
      .settled((server) => server.hasSettledOnce())
      .then(() => {
        isSettled = true
      })
    await settle()
    expect(isSettled).toBe(false)
    const request = fake('silent').current.requests('initialize')[0]
    fake('silent').current.simulateResult(request?.id ?? 'none', { protocolVersion: '2025-11-25' })
    await settled
  })

  it('gives up waiting for that when it is told to', async () => {
    const { set } = createSet({ silent: {} }, { silent: { on: { initialize: hold } } })
    set.start({ learns: false })
    const aborter = new AbortController()
    const failure = failureOf(set.settled((server) => server.hasSettledOnce(), aborter.signal))
    aborter.abort()
    expect(await failure).toMatchObject({ code: 'cancelled' })
    const already = failureOf(set.settled((server) => server.hasSettledOnce(), AbortSignal.abort()))
    expect(await already).toMatchObject({ code: 'cancelled' })
  })

  it('announces states and catalogs with the name of the server', async () => {
    const { set, settle, events } = createSet({ a: {} }, { a: { tools: [createTool('t')] } })
    set.start({ learns: false })
    await settle()
    expect(events).toEqual([
      { type: 'state_changed', server: 'a', state: 'starting', previous: 'idle' },
      { type: 'catalog_changed', server: 'a', parts: ['tools'] },
      { type: 'state_changed', server: 'a', state: 'ready', previous: 'starting' },
    ])
  })

  it('stops every server and starts nothing more', async () => {
    const { set, settle, clock, fake } = createSet(
      { a: {}, b: {}, lazy: { start: 'lazy' } },
      { b: { failsToOpen: EXITED } },
    )
    set.start({ learns: false })
    await settle()
    await set.stopAll()
    const starts = fake('b').starts.length
    await clock.advanceAsync(3600_000)
    expect(clock.pendingTimers()).toEqual([])
    expect(fake('b').starts).toHaveLength(starts)
    expect(set.statuses().map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped'])
    const params = { name: 't', arguments: {} }
    expect(await failureOf(set.provider('lazy').request('tools/call', params, createCall()))).toMatchObject({
      code: 'server_stopped',
    })
  })

  it('waits for calls in flight while it drains, and not for longer than it may', async () => {
    const { set, settle, clock, fake } = createSet({ a: {} }, { a: { on: { 'tools/call': hold } } })
    set.start({ learns: false })
    await settle()
    const call = set.provider('a').request('tools/call', { name: 't', arguments: {} }, createCall())
    await settle()
    let drained = false
    const draining = set.drain(1000).then(() => {
      drained = true
    })
    await clock.advanceAsync(500)
    expect(drained).toBe(false)
    fake('a').current.simulateResult(fake('a').current.requests('tools/call')[0]?.id ?? 'none', {})
    await call
    await clock.advanceAsync(20)
    await draining
    const stuck = set.provider('a').request('tools/call', { name: 't', arguments: {} }, createCall())
    stuck.catch(() => {})
    await settle()
    const inVain = set.drain(1000)
    await clock.advanceAsync(1020)
    await inVain
  })

  it('knows which servers that were never up may have a name', async () => {
    const { set, settle } = createSet(
      {
        up: {},
        down: {},
        plain: { tools: { allow: [], deny: [], rename: {}, prefix: false } },
        off: { enabled: false },
      },
      { down: { failsToOpen: EXITED }, plain: { failsToOpen: EXITED } },
    )
    set.start({ learns: false })
    await settle()
    const names = (exposed: string) => set.unknownOnes(exposed).map(({ config }) => config.name)
    expect(names('down_tool')).toEqual(['down', 'plain'])
    expect(names('up_tool')).toEqual(['plain'])
    expect(names('off_tool')).toEqual(['plain'])
  })
})

describe('a new configuration', () => {
  it('touches only the servers whose own entry changed', async () => {
    const { set, settle, fake, createPoolConfig } = createSet({ kept: {}, changed: {}, gone: {} })
    set.start({ learns: false })
    await settle()
    await set.reconfigure(createPoolConfig({ kept: {}, changed: { timeout: 5 }, fresh: {} }), { learns: false })
    await settle()
    expect(set.statuses().map(({ name, state }) => [name, state])).toEqual([
      ['kept', 'ready'],
      ['changed', 'ready'],
      ['fresh', 'ready'],
    ])
    expect(fake('kept').starts).toHaveLength(1)
    expect(fake('changed').starts).toHaveLength(2)
    expect(fake('gone').alive).toBe(0)
  })

  it('stops the old process of a changed server before the new one is started', async () => {
    const { set, settle, fake, createPoolConfig } = createSet({ a: {} }, { a: { closesSlowly: true } })
    set.start({ learns: false })
    await settle()
    const reconfigured = set.reconfigure(createPoolConfig({ a: { timeout: 5 } }), { learns: false })
    await settle()
    expect(fake('a').starts).toHaveLength(1)
    fake('a').current.simulateClosed()
    await reconfigured
    expect(fake('a').starts).toHaveLength(2)
  })

  it('starts nothing any more when the pool is closed while it is applied', async () => {
    const { set, settle, fake, createPoolConfig } = createSet({ a: {} }, { a: { closesSlowly: true } })
    set.start({ learns: false })
    await settle()
    const reconfigured = set.reconfigure(createPoolConfig({ a: { timeout: 5 }, b: {} }), { learns: false })
    const stopped = set.stopAll()
    fake('a').current.simulateClosed()
    await Promise.all([stopped, reconfigured])
    await settle()
    expect(fake('a').starts).toHaveLength(1)
    expect(fake('b').starts).toEqual([])
  })

  it('is stopped only when what it took away is gone too', async () => {
    const { set, settle, fake, createPoolConfig } = createSet({ a: {} }, { a: { closesSlowly: true } })
    set.start({ learns: false })
    await settle()
    const reconfigured = set.reconfigure(createPoolConfig({}), { learns: false })
    let stopped = false
    const stopping = set.stopAll().then(() => {
      stopped = true
    })
    await settle()
    expect(stopped).toBe(false)
    fake('a').current.simulateClosed()
    await Promise.all([stopping, reconfigured])
  })

  it('starts nothing in a pool that was not started', async () => {
    const { set, fake, createPoolConfig } = createSet({})
    await set.reconfigure(createPoolConfig({ a: {} }), undefined)
    expect(fake('a').starts).toEqual([])
    expect(set.statuses()).toHaveLength(1)
  })

  it('hears no more of a server that is gone', async () => {
    const { set, settle, events, createPoolConfig } = createSet({ a: {} })
    set.start({ learns: false })
    await settle()
    events.length = 0
    await set.reconfigure(createPoolConfig({}), { learns: false })
    expect(events).toEqual([{ type: 'servers_changed' }])
  })
})
