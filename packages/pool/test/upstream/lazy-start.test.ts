import type { Catalog } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

const REMEMBERED: Catalog = {
  tools: [createTool('remembered')],
  resources: [],
  templates: [],
  prompts: [],
  instructions: 'as it was',
  capabilities: { tools: {} },
}

describe('a lazy server', () => {
  it('lists what is remembered of it without being started', () => {
    const { upstream, server } = createHarness({ learned: { era: 'legacy', catalog: REMEMBERED } })
    expect(upstream.catalog()).toBe(REMEMBERED)
    expect(upstream.status()).toMatchObject({ state: 'idle', stale: true, tools: 1 })
    expect(server.starts).toEqual([])
  })

  it('is started by its first call, which gets its answer', async () => {
    const { callTool, server, upstream } = createHarness({
      server: { tools: [createTool('remembered')] },
      learned: { era: 'legacy', catalog: REMEMBERED },
    })
    await expect(callTool('remembered')).resolves.toBeDefined()
    expect(server.starts).toHaveLength(1)
    expect(upstream.status()).toMatchObject({ state: 'ready', stale: false })
  })

  it('announces nothing when it is as it was remembered', async () => {
    const { start, upstream, cache } = createHarness({
      server: { tools: [createTool('remembered')], instructions: 'as it was' },
      learned: { era: 'legacy', catalog: REMEMBERED },
    })
    const changes: unknown[] = []
    upstream.onCatalogChange((parts) => changes.push(parts))
    await start()
    expect(changes).toEqual([])
    expect(cache.learned.catalog).toBe(REMEMBERED)
  })

  it('announces and remembers what has changed since', async () => {
    const { start, upstream, cache } = createHarness({
      server: { tools: [createTool('new')] },
      learned: { era: 'legacy', catalog: REMEMBERED },
    })
    const changes: unknown[] = []
    upstream.onCatalogChange((parts) => changes.push(parts))
    await start()
    expect(changes).toEqual([['tools']])
    expect(cache.learned.catalog?.tools.map(({ name }) => name)).toEqual(['new'])
  })

  it('lists only what its rules allow of what is remembered', () => {
    const { upstream } = createHarness({
      learned: { catalog: REMEMBERED },
      config: { tools: { allow: [], deny: ['remembered'], rename: {}, prefix: 'fake' } },
    })
    expect(upstream.catalog().tools).toEqual([])
  })
})

describe('an idle timeout', () => {
  const idleAfterMinute = { config: { idleTimeout: 60_000, start: 'lazy' } } as const

  it('stops a server that nobody has used for that long, and its list stays', async () => {
    const { clock, callTool, server, upstream } = createHarness({
      ...idleAfterMinute,
      server: { tools: [createTool('a')] },
    })
    await callTool('a')
    await clock.advanceAsync(59_999)
    expect(upstream.status().state).toBe('ready')
    await clock.advanceAsync(1)
    expect(upstream.status()).toMatchObject({ state: 'idle', stale: true, tools: 1 })
    expect(server.current.closes).toEqual([{ manner: 'stop' }])
    expect(clock.pendingTimers()).toEqual([])
  })

  it('is counted from the last use', async () => {
    const { clock, callTool, upstream } = createHarness(idleAfterMinute)
    for (let use = 0; use < 5; use++) {
      await callTool('a')
      await clock.advanceAsync(50_000)
    }
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0 })
  })

  it('does not stop a server in the middle of a long call', async () => {
    const { clock, callTool, settle, server, upstream } = createHarness({
      ...idleAfterMinute,
      server: { on: { 'tools/call': hold } },
    })
    const quick = callTool('a', {}, { timeout: 600_000 })
    const long = callTool('a', {}, { timeout: 600_000 })
    await settle()
    const [first, second] = server.current.requests('tools/call')
    server.current.simulateResult(first?.id ?? 'none', {})
    await quick
    await clock.advanceAsync(300_000)
    expect(upstream.status().state).toBe('ready')
    server.current.simulateResult(second?.id ?? 'none', {})
    await expect(long).resolves.toEqual({})
  })

  it('ends with the next call, which starts the server again', async () => {
    const { clock, callTool, server, upstream } = createHarness(idleAfterMinute)
    await callTool('a')
    await clock.advanceAsync(60_000)
    await callTool('a')
    expect(server.starts).toHaveLength(2)
    expect(upstream.status().state).toBe('ready')
  })

  it('makes a call wait until the old process is gone, so that there are never two', async () => {
    const { clock, settle, callTool, server } = createHarness({ ...idleAfterMinute, server: { closesSlowly: true } })
    await callTool('a')
    await clock.advanceAsync(60_000)
    const call = callTool('a')
    await settle()
    expect(server.starts).toHaveLength(1)
    server.current.simulateClosed()
    await expect(call).resolves.toBeDefined()
    expect(server.starts).toHaveLength(2)
  })

  it('is no restart: nothing is logged as an error', async () => {
    const { clock, callTool, log } = createHarness(idleAfterMinute)
    await callTool('a')
    await clock.advanceAsync(60_000)
    await callTool('a')
    expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('does not bring a server that failed back to life', async () => {
    const { clock, callTool, upstream } = createHarness({
      ...idleAfterMinute,
      server: { failsToOpen: { reason: 'not_installed', message: 'missing' } },
    })
    expect(await failureOf(callTool('a'))).toMatchObject({ code: 'not_installed' })
    await clock.advanceAsync(60_000)
    expect(upstream.status().state).toBe('not_installed')
  })
})
