import { describe, expect, it } from 'vitest'
import { createCall, createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

describe('the status of a server', () => {
  it('tells all there is before its first start', () => {
    const { upstream } = createHarness()
    expect(upstream.status()).toEqual({
      name: 'fake',
      state: 'idle',
      stale: true,
      transport: 'stdio',
      shared: true,
      restarts: 0,
      attempt: 0,
      inFlight: 0,
      queued: 0,
      calls: 0,
      failures: 0,
      tools: 0,
      resources: 0,
      prompts: 0,
      serialised: false,
      lastStderr: [],
    })
  })

  it('tells pid, version, uptime, counts and latencies of one that is up', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      server: { tools: [createTool('a')], on: { 'tools/call': hold } },
    })
    await start()
    for (const ms of [10, 20, 30]) {
      const call = callTool('a')
      await clock.advanceAsync(ms)
      server.current.simulateResult(server.current.requests('tools/call').at(-1)?.id ?? 'none', {})
      await call
    }
    const failure = failureOf(callTool('a', {}, { timeout: 40 }))
    await clock.advanceAsync(40)
    await failure
    expect(upstream.status()).toMatchObject({
      state: 'ready',
      pid: 1000,
      era: 'legacy',
      protocolVersion: '2025-11-25',
      serverInfo: { name: 'fake', version: '1' },
      uptimeMs: 100,
      calls: 4,
      failures: 1,
      p50Ms: 20,
      p95Ms: 30,
    })
  })

  it('names no pid and tells the next attempt while a server is down', async () => {
    const { start, clock, server, upstream } = createHarness()
    await start()
    server.current.simulateExit()
    await clock.advanceAsync(0)
    server.current.simulateExit()
    await clock.advanceAsync(400)
    const status = upstream.status()
    expect(status).toMatchObject({ state: 'backoff', attempt: 2, nextAttemptInMs: 600, reason: 'exited with code 1' })
    expect(status).not.toHaveProperty('pid')
    expect(status).not.toHaveProperty('uptimeMs')
  })

  it('counts replies that come late, twice or to nobody, and what is not the protocol', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('a', {}, { signal: aborter.signal }))
    const call = callTool('a')
    await settle()
    const [first, second] = server.current.requests('tools/call')
    aborter.abort()
    await failure
    server.current.simulateResult(first?.id ?? 'none', {})
    server.current.simulateResult(second?.id ?? 'none', { content: ['right'] })
    server.current.simulateResult(second?.id ?? 'none', { content: ['again'] })
    server.current.simulateResult('unheard of', {})
    server.current.simulateMessage({ neither: 'request nor answer' })
    server.current.simulateOutput('stdout', 'print("debug")')
    await expect(call).resolves.toEqual({ content: ['right'] })
    expect(upstream.status().counters).toEqual({ lateReplies: 1, droppedReplies: 2, strayOutput: 2, oversized: 0 })
    expect(upstream.status().state).toBe('ready')
  })

  it('keeps the last lines of stderr and logs each with its level', async () => {
    const { start, server, upstream, logged } = createHarness()
    await start()
    for (let index = 0; index < 250; index++) server.current.simulateOutput('stderr', `line ${index}`)
    server.current.simulateOutput('stderr', 'ERROR disk full')
    server.current.simulateOutput('stdout', 'not the protocol')
    const { lastStderr } = upstream.status()
    expect(lastStderr).toHaveLength(200)
    expect(lastStderr.slice(-2)).toEqual(['line 249', 'ERROR disk full'])
    expect(logged('server.stderr').at(-1)).toMatchObject({ level: 'error', msg: 'ERROR disk full' })
    expect(logged('server.stdout')).toMatchObject([{ level: 'warn', msg: 'not the protocol' }])
  })
})

describe('what a server says while a call runs', () => {
  it('passes progress on in order and before the result', async () => {
    const { start, settle, server, callTool } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const heard: unknown[] = []
    const call = callTool('a', {}, { progress: (progress) => heard.push(progress.progress) }).then(() =>
      heard.push('result'),
    )
    await settle()
    const [request] = server.current.requests('tools/call')
    const progressToken = request?.id
    expect(request?.params?._meta).toMatchObject({ progressToken })
    for (let progress = 1; progress <= 50; progress++)
      server.current.simulateNotification('notifications/progress', { progressToken, progress })
    server.current.simulateNotification('notifications/progress', { progressToken: 'foreign', progress: 999 })
    server.current.simulateResult(request?.id ?? 'none', {})
    server.current.simulateNotification('notifications/progress', { progressToken, progress: 51 })
    await call
    expect(heard).toEqual([...Array.from({ length: 50 }, (_, index) => index + 1), 'result'])
  })

  it('keeps the progress of many calls apart', async () => {
    const { start, settle, server, callTool } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const heard: number[][] = [[], [], []]
    for (const mine of heard)
      void callTool('a', {}, { progress: ({ progress }) => void mine.push(progress) }).catch(() => {})
    await settle()
    for (const [index, { id }] of server.current.requests('tools/call').entries())
      server.current.simulateNotification('notifications/progress', { progressToken: id, progress: index })
    expect(heard).toEqual([[0], [1], [2]])
  })

  it('asks for no progress when nobody wants it', async () => {
    const { start, server, callTool } = createHarness()
    await start()
    await callTool('a')
    expect(server.current.requests('tools/call')[0]?.params?._meta).not.toHaveProperty('progressToken')
  })

  it('gives its log messages to the one call in flight, else to the log', async () => {
    const { start, settle, server, callTool, logged } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const heard: unknown[] = []
    const message = { level: 'info', data: 'half way' }
    server.current.simulateNotification('notifications/message', message)
    expect(logged('server.message')).toMatchObject([{ msg: 'half way' }])
    void callTool('a', {}, { log: (entry) => heard.push(entry) }).catch(() => {})
    await settle()
    server.current.simulateNotification('notifications/message', message)
    expect(heard).toEqual([message])
  })

  it('fails one call alone with message_too_large when its answer is', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const large = failureOf(callTool('a'))
    const other = callTool('a')
    await settle()
    const [first, second] = server.current.requests('tools/call')
    server.current.simulateOversized(first?.id, 99_999_999)
    server.current.simulateResult(second?.id ?? 'none', {})
    expect(await large).toMatchObject({ code: 'message_too_large', details: { bytes: 99_999_999 } })
    await expect(other).resolves.toEqual({})
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0 })
  })

  it('blames nobody for a message that is too large and names nobody while several calls run', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const calls = [callTool('a'), callTool('a')]
    await settle()
    server.current.simulateOversized(undefined, 99_999_999)
    for (const { id } of server.current.requests('tools/call')) server.current.simulateResult(id, {})
    await expect(Promise.all(calls)).resolves.toEqual([{}, {}])
    const only = failureOf(callTool('a'))
    await settle()
    server.current.simulateOversized(undefined, 99_999_999)
    expect(await only).toMatchObject({ code: 'message_too_large' })
    expect(upstream.status().counters?.oversized).toBe(2)
  })

  it("passes a server's own error on with its code, message and data", async () => {
    const rpc = { code: -32042, message: 'no such table', data: { table: 'x' } }
    const { start, callTool, upstream } = createHarness({ server: { on: { 'tools/call': () => ({ error: rpc }) } } })
    await start()
    const error = await failureOf(callTool('a'))
    expect(error).toMatchObject({ code: 'upstream_error', details: { rpc, server: 'fake', tool: 'a' } })
    expect(error.message).toContain('no such table')
    expect(upstream.status()).toMatchObject({ state: 'ready', failures: 1 })
  })

  it('takes an error without a code for a bad response', async () => {
    const { start, settle, server, callTool } = createHarness({ server: { on: { 'tools/call': hold } } })
    await start()
    const failure = failureOf(callTool('a'))
    await settle()
    const [request] = server.current.requests('tools/call')
    server.current.simulateMessage({ jsonrpc: '2.0', id: request?.id, error: { text: 'oops' } })
    expect(await failure).toMatchObject({ code: 'bad_response' })
  })

  it('carries the trace of the call', async () => {
    const { start, server, upstream } = createHarness()
    await start()
    await upstream.request('tools/call', { name: 'a' }, createCall())
    expect(server.current.requests('tools/call')[0]?.params?._meta).toEqual({
      traceparent: expect.stringContaining('0af7651916cd43dd8448eb211c80319c'),
    })
  })
})
