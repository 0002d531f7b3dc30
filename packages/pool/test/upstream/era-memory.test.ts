import { within } from '@switchboard/base'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { METHOD_NOT_FOUND } from '../helpers/fake-server.ts'
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

  describe('of a server of both eras that is slow to start', () => {
    const DISCOVERED = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
    const INITIALIZED = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'slow', version: '1' },
    }

    /** Answers the probe only after it was taken for a legacy server; whatever it is asked then. */
    async function startSlowly(order: 'probe first' | 'initialize first', later: 'both eras' | 'legacy only') {
      const harness = createHarness({ learned: {}, server: { on: { 'server/discover': hold, initialize: hold } } })
      const { server, start, upstream } = harness
      await start()
      const { current } = server
      const initialize = await current.waitFor('initialize')
      const [discover] = current.requests('server/discover')
      const answerProbe = (): void => current.simulateResult(discover?.id ?? 'none', DISCOVERED)
      // A new process is as quick as any; this one has settled on an era, or not.
      server.script.on = {
        'server/discover': (_params, transport) =>
          transport === current && later === 'legacy only' ? METHOD_NOT_FOUND : DISCOVERED,
      }
      if (order === 'probe first') answerProbe()
      current.simulateResult(initialize.id, INITIALIZED)
      await waitFor(() => upstream.state.kind === 'ready')
      return { ...harness, answerProbe }
    }

    it('is modern on the same process where that one speaks it after all', async () => {
      const { server, upstream, cache } = await startSlowly('probe first', 'both eras')
      expect(upstream.status()).toMatchObject({ era: 'modern', protocolVersion: '2026-07-28' })
      expect(server.starts).toHaveLength(1)
      expect(cache.learned.era).toBe('modern')
    })

    it('is modern on a new process where the old one was taken at its word', async () => {
      const { server, upstream, cache } = await startSlowly('probe first', 'legacy only')
      expect(server.starts).toHaveLength(2)
      expect(methodsOf(server)).toEqual(['server/discover', 'tools/list'])
      expect(upstream.status()).toMatchObject({ era: 'modern', restarts: 1 })
      expect(cache.learned.era).toBe('modern')
    })

    it('is corrected while it runs when the answer comes after it was ready', async () => {
      const { server, upstream, answerProbe, callTool } = await startSlowly('initialize first', 'both eras')
      expect(upstream.status().era).toBe('legacy')
      await callTool('a')
      answerProbe()
      await waitFor(() => upstream.status().era === 'modern')
      expect(server.starts).toHaveLength(1)
      await callTool('a')
      const [first, second] = server.current.requests('tools/call')
      expect(JSON.stringify(first)).not.toContain('io.modelcontextprotocol/protocolVersion')
      expect(JSON.stringify(second)).toContain('io.modelcontextprotocol/protocolVersion')
    })

    it('is corrected by a new process that comes after it was ready, as long as nobody has used the old one', async () => {
      const { server, upstream, answerProbe } = await startSlowly('initialize first', 'legacy only')
      answerProbe()
      await waitFor(() => upstream.status().era === 'modern')
      expect(server.starts).toHaveLength(2)
    })

    it('is left to the next start where somebody works with the process', async () => {
      const { server, upstream, answerProbe, callTool, cache, settle } = await startSlowly(
        'initialize first',
        'legacy only',
      )
      await callTool('a')
      answerProbe()
      await waitFor(() => server.current.requests('server/discover').length === 2)
      await settle()
      expect(upstream.status()).toMatchObject({ state: 'ready', era: 'legacy' })
      expect(cache.learned.era).toBe('modern')
      server.current.simulateExit()
      await settle()
      await waitFor(() => upstream.state.kind === 'ready' && server.starts.length === 2)
      expect(upstream.status().era).toBe('modern')
    })
  })

  it('is legacy again when a server that was modern keeps silent to the question for it', async () => {
    const { start, upstream, cache } = createHarness({
      learned: { era: 'modern' },
      config: { initTimeout: 100 },
      server: { on: { 'server/discover': hold } },
    })
    await start()
    await waitFor(() => upstream.state.kind === 'ready')
    expect(upstream.status().era).toBe('legacy')
    expect(cache.learned.era).toBe('legacy')
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

  it('is what the configuration says: legacy is never asked for', async () => {
    const { start, server, upstream } = createHarness({ learned: { era: 'modern' }, config: { era: 'legacy' } })
    await start()
    expect(methodsOf(server)).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
    expect(upstream.status()).toMatchObject({ state: 'ready', era: 'legacy' })
  })

  it('is what the configuration says: modern is waited for, however slow it is', async () => {
    const { start, server, upstream } = createHarness({
      learned: { era: 'legacy' },
      config: { era: 'modern' },
      eraProbeTimeout: 0,
      server: { era: 'modern', on: { 'server/discover': hold } },
    })
    await start()
    const discover = await server.current.waitFor('server/discover')
    // The way by which a probe's time passes: that of one asked before would be over.
    await within(new Promise(() => {}), 0)
    expect(methodsOf(server)).toEqual(['server/discover'])
    server.current.simulateResult(discover.id, { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
    await waitFor(() => upstream.state.kind === 'ready')
    expect(upstream.status().era).toBe('modern')
  })

  it.each([
    { era: 'modern', speaks: 'legacy' },
    { era: 'legacy', speaks: 'modern' },
  ] as const)('is told where a server speaks $speaks and the configuration says $era', async ({ era, speaks }) => {
    const { start, upstream } = createHarness({ learned: {}, config: { era }, server: { era: speaks } })
    await start()
    expect(upstream.status()).toMatchObject({
      state: 'starting',
      reason: expect.stringContaining(`does not speak the ${era} era, which its "era" asks for`),
    })
  })

  it('does not matter where initialize is answered with an unknown version: the start fails and says so', async () => {
    const { start, upstream } = createHarness({
      server: { on: { initialize: () => ({ protocolVersion: '1999-01-01', capabilities: {} }) } },
    })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'starting', reason: expect.stringContaining('1999-01-01') })
  })
})
