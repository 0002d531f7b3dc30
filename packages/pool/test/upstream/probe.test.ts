import { describe, expect, it } from 'vitest'
import { createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

const SILENT_CALLS = { tools: [createTool('slow')], on: { 'tools/call': hold } }

describe('a call that times out', () => {
  it('fails with timeout, is cancelled upstream, and one probe runs for all that time out together', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      server: { ...SILENT_CALLS, on: { 'tools/call': hold, ping: hold } },
    })
    await start()
    const failures = Array.from({ length: 10 }, () => failureOf(callTool('slow', {}, { timeout: 1000 })))
    await clock.advanceAsync(1000)
    for (const error of await Promise.all(failures)) {
      expect(error).toMatchObject({ code: 'timeout', executed: 'unknown', details: { timeoutMs: 1000, tool: 'slow' } })
    }
    const cancelled = server.current.notifications('notifications/cancelled').map(({ requestId }) => requestId)
    expect(cancelled).toEqual(server.current.requests('tools/call').map(({ id }) => id))
    expect(server.current.requests('ping')).toHaveLength(1)
    expect(upstream.status().state).toBe('probing')
  })

  it('restarts nothing when the probe is answered: a slow tool is no crash', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({ server: SILENT_CALLS })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0 })
    expect(server.starts).toHaveLength(1)
  })

  it('restarts nothing when ping is not answered but the list of tools is', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      server: { ...SILENT_CALLS, on: { 'tools/call': hold, ping: hold } },
    })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    expect(server.current.requests('tools/list')).toHaveLength(1)
    await clock.advanceAsync(3000)
    expect(server.current.requests('tools/list')).toHaveLength(2)
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0 })
  })

  it('takes an error for a sign of life', async () => {
    const { start, clock, callTool, upstream } = createHarness({
      server: {
        ...SILENT_CALLS,
        on: { 'tools/call': hold, ping: () => ({ error: { code: -32601, message: 'no ping' } }) },
      },
    })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0 })
  })

  it('restarts the server when neither is answered within 3 s each, and fails what is in flight', async () => {
    const { start, clock, server, callTool, upstream, logged } = createHarness({ server: SILENT_CALLS })
    await start()
    server.script.on = { 'tools/call': hold, ping: hold, 'tools/list': hold }
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    const longCall = failureOf(callTool('slow'))
    await clock.advanceAsync(1000)
    await failure
    await clock.advanceAsync(5999)
    expect(upstream.status().state).toBe('probing')
    server.script.on = {}
    await clock.advanceAsync(1)
    expect(await longCall).toMatchObject({ code: 'server_exited', executed: 'unknown' })
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 1 })
    expect(logged('pool.restart')).toMatchObject([{ data: { reason: 'probe-failed' } }])
    expect(server.starts[0]?.closes).toEqual([{ manner: 'restart' }])
  })

  it('lets new calls through while it is probed', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      server: { ...SILENT_CALLS, on: { 'tools/call': hold, ping: hold } },
    })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    server.script.on = { ping: hold }
    expect(upstream.status().state).toBe('probing')
    await expect(callTool('slow')).resolves.toBeDefined()
  })

  it('probes with the list of tools alone where that is configured', async () => {
    const { start, clock, server, callTool } = createHarness({
      server: SILENT_CALLS,
      config: { healthProbe: 'listTools' },
    })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    expect(server.current.requests('ping')).toEqual([])
    expect(server.current.requests('tools/list')).toHaveLength(2)
  })

  it('probes a modern server with discover', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({ server: { ...SILENT_CALLS, era: 'modern' } })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    expect(server.current.requests('server/discover')).toHaveLength(2)
    expect(server.current.requests('ping')).toEqual([])
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0 })
  })

  it('ends a probe that its server does not survive in one restart, not two', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      server: { ...SILENT_CALLS, on: { 'tools/call': hold, ping: hold } },
    })
    await start()
    const failure = failureOf(callTool('slow', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await failure
    server.current.simulateExit()
    await clock.advanceAsync(10_000)
    expect(server.starts).toHaveLength(2)
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 1 })
  })
})

describe('a connection that cannot notice its own end', () => {
  it('is looked at every 30 s and replaced when nobody answers', async () => {
    const { start, clock, server, upstream } = createHarness({ server: { kind: 'http', noticesExit: false } })
    await start()
    await clock.advanceAsync(30_000)
    expect(server.current.requests('ping')).toHaveLength(1)
    expect(upstream.status().state).toBe('ready')
    server.script.on = { ping: hold, 'tools/list': hold }
    await clock.advanceAsync(30_000 + 5999)
    expect(upstream.status().state).toBe('probing')
    server.script.on = {}
    await clock.advanceAsync(1)
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 1 })
  })

  it('is not looked at when it notices by itself', async () => {
    const { start, clock, server } = createHarness()
    await start()
    await clock.advanceAsync(600_000)
    expect(server.current.requests('ping')).toEqual([])
  })
})
