import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { EXITED } from '../helpers/fake-transport.ts'
import { createHarness, createTool, hold } from '../helpers/upstream-harness.ts'

const methodsOf = (server: ReturnType<typeof createHarness>['server']) =>
  server.current.sent.flatMap(({ message }) => ('method' in message ? [message.method] : []))

describe('the era of a server', () => {
  it('is found by asking for it on the connection that is there, and remembered', async () => {
    const { start, server, upstream, cache } = createHarness({ learned: {} })
    await start()
    expect(methodsOf(server)).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/list'])
    expect(server.starts).toHaveLength(1)
    expect(upstream.status()).toMatchObject({ era: 'legacy', protocolVersion: '2025-11-25' })
    expect(cache.learned.era).toBe('legacy')
  })

  it('is not asked for when it is known to be legacy', async () => {
    const { start, server } = createHarness({ learned: { era: 'legacy' } })
    await start()
    expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
  })

  it('is settled by a modern answer: no initialize follows', async () => {
    const { start, server, upstream, cache } = createHarness({
      learned: {},
      server: { era: 'modern', tools: [createTool('a')] },
    })
    await start()
    expect(methodsOf(server)).toEqual(['server/discover', 'tools/list'])
    expect(server.current.protocol).toEqual({ era: 'modern', version: '2026-07-28' })
    expect(server.current.requests('tools/list')[0]?.params?._meta).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    })
    expect(upstream.status()).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' })
    expect(cache.learned.era).toBe('modern')
  })

  it('is legacy when the question for it is met with silence, and that costs its time once', async () => {
    const { start, settle, server, upstream } = createHarness({
      learned: {},
      server: { on: { 'server/discover': hold } },
    })
    await start()
    await waitFor(() => upstream.state.kind === 'ready')
    expect(upstream.status().era).toBe('legacy')
    server.current.simulateExit()
    await settle()
    expect(server.starts).toHaveLength(2)
    expect(methodsOf(server)).not.toContain('server/discover')
  })

  it('is legacy for once when a server of both eras is slow to start, and remembered as modern', async () => {
    const { start, settle, server, upstream, cache } = createHarness({
      learned: {},
      server: { on: { 'server/discover': hold, initialize: hold } },
    })
    await start()
    const initialize = await server.current.waitFor('initialize')
    const [discover] = server.current.requests('server/discover')
    const capabilities = { tools: {} }
    server.current.simulateResult(discover?.id ?? 'none', { supportedVersions: ['2026-07-28'], capabilities })
    server.current.simulateResult(initialize.id, {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'slow', version: '1' },
    })
    await waitFor(() => upstream.state.kind === 'ready')
    expect(upstream.status().era).toBe('legacy')
    expect(cache.learned.era).toBe('modern')
    server.current.simulateExit()
    await settle()
    expect(methodsOf(server)).toEqual(['server/discover'])
  })

  it('is modern when a slow server answers late and refuses to initialize', async () => {
    const { start, server, upstream } = createHarness({
      learned: {},
      server: { era: 'modern', on: { 'server/discover': hold, initialize: hold } },
    })
    await start()
    const initialize = await server.current.waitFor('initialize')
    const [discover] = server.current.requests('server/discover')
    server.current.simulateMessage({
      jsonrpc: '2.0',
      id: initialize.id,
      error: { code: -32601, message: 'Method not found' },
    })
    server.current.simulateResult(discover?.id ?? 'none', {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
    })
    await waitFor(() => upstream.state.kind === 'ready')
    expect(upstream.status().era).toBe('modern')
    expect(server.starts).toHaveLength(1)
  })

  it('is asked for in the old way next time when the program died of the question', async () => {
    const { start, clock, server, upstream, cache } = createHarness({
      learned: {},
      server: { on: { 'server/discover': () => ({ exit: EXITED }) } },
    })
    await start()
    await clock.advanceAsync(100)
    await waitFor(() => upstream.state.kind === 'ready')
    expect(server.starts).toHaveLength(2)
    expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
    expect(cache.learned.era).toBe('legacy')
  })

  it('is asked for the new way again when the old way was not the cure', async () => {
    const asked: string[] = []
    const { start, clock } = createHarness({
      learned: {},
      server: {
        on: {
          'server/discover': () => {
            asked.push('discover')
            return { exit: EXITED }
          },
          initialize: () => {
            asked.push('initialize')
            return { exit: EXITED }
          },
        },
      },
    })
    await start()
    await clock.advanceAsync(100 + 200 + 400)
    expect(asked).toEqual(['discover', 'initialize', 'discover', 'initialize'])
  })

  it('is legacy when a server answers discover with legacy revisions only', async () => {
    const { start, upstream } = createHarness({
      learned: {},
      server: { on: { 'server/discover': () => ({ supportedVersions: ['2025-11-25'], capabilities: {} }) } },
    })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'ready', era: 'legacy' })
  })

  it('is legacy when a server answers discover with nonsense', async () => {
    const { start, upstream } = createHarness({
      learned: {},
      server: { on: { 'server/discover': () => ({ hello: 'world' }) } },
    })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'ready', era: 'legacy' })
  })

  it('is found anew when a server that was modern answers as a legacy one', async () => {
    const { start, upstream, cache } = createHarness({ learned: { era: 'modern' }, server: { era: 'legacy' } })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'ready', era: 'legacy' })
    expect(cache.learned.era).toBe('legacy')
  })

  it('is found anew when a server that was legacy became modern only', async () => {
    const { start, clock, upstream } = createHarness({ learned: { era: 'legacy' }, server: { era: 'modern' } })
    await start()
    await clock.advanceAsync(10_000)
    await waitFor(() => upstream.state.kind === 'ready')
    expect(upstream.status().era).toBe('modern')
  })

  it('does not matter where initialize is answered with an unknown version: the start fails and says so', async () => {
    const { start, upstream } = createHarness({
      server: { on: { initialize: () => ({ protocolVersion: '1999-01-01', capabilities: {} }) } },
    })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'starting', reason: expect.stringContaining('1999-01-01') })
  })
})
