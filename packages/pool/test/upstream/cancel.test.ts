import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

const SILENT_CALLS = { tools: [createTool('slow')], on: { 'tools/call': hold } }

describe('a caller that cancels', () => {
  it('cancels that call alone upstream, and nothing is restarted or probed', async () => {
    const { start, settle, clock, server, callTool, upstream } = createHarness({ server: SILENT_CALLS })
    await start()
    const aborters = [new AbortController(), new AbortController(), new AbortController()]
    const outcomes = aborters.map(({ signal }) => callTool('slow', {}, { signal }))
    await settle()
    const ids = server.current.requests('tools/call').map(({ id }) => id)
    const failure = failureOf(outcomes[1] ?? Promise.resolve())
    aborters[1]?.abort()
    expect(await failure).toMatchObject({ code: 'cancelled', executed: 'unknown' })
    expect(server.current.notifications('notifications/cancelled')).toMatchObject([{ requestId: ids[1] }])
    expect(server.current.abandoned).toEqual([ids[1]])
    await clock.advanceAsync(10_000)
    expect(server.starts).toHaveLength(1)
    expect(server.current.requests('ping')).toEqual([])
    for (const index of [0, 2]) server.current.simulateResult(ids[index] ?? 'none', { content: [] })
    await expect(Promise.all([outcomes[0], outcomes[2]])).resolves.toEqual([{ content: [] }, { content: [] }])
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 0, calls: 3, failures: 1 })
  })

  it('closes the response stream of a modern HTTP call and sends no notification', async () => {
    const { start, settle, server, callTool } = createHarness({
      server: { ...SILENT_CALLS, era: 'modern', kind: 'http' },
    })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('slow', {}, { signal: aborter.signal }))
    await settle()
    aborter.abort()
    await failure
    expect(server.current.abandoned).toEqual(server.current.requests('tools/call').map(({ id }) => id))
    expect(server.current.notifications('notifications/cancelled')).toEqual([])
  })

  it('notifies a modern server on stdio, which has no stream to close', async () => {
    const { start, settle, server, callTool } = createHarness({ server: { ...SILENT_CALLS, era: 'modern' } })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('slow', {}, { signal: aborter.signal }))
    await settle()
    aborter.abort()
    await failure
    const [request] = server.current.requests('tools/call')
    expect(server.current.notifications('notifications/cancelled')).toMatchObject([{ requestId: request?.id }])
  })

  it('sends nothing for a call that was cancelled before it was made', async () => {
    const { start, server, callTool } = createHarness({ server: SILENT_CALLS })
    await start()
    const error = await failureOf(callTool('slow', {}, { signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ code: 'cancelled', executed: false })
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('sends nothing for a call that is cancelled while its arguments are checked for the first time', async () => {
    const { start, server, callTool } = createHarness({ server: SILENT_CALLS, config: { validate: true } })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('slow', {}, { signal: aborter.signal }))
    aborter.abort()
    expect(await failure).toMatchObject({ code: 'cancelled', executed: false })
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('leaves the queue, and the next in line gets its place', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({
      server: SILENT_CALLS,
      config: { concurrency: 1 },
    })
    await start()
    void callTool('slow').catch(() => {})
    const aborter = new AbortController()
    const failure = failureOf(callTool('slow', {}, { signal: aborter.signal }))
    const third = callTool('slow')
    await settle()
    aborter.abort()
    expect(await failure).toMatchObject({ code: 'cancelled', executed: false })
    expect(upstream.status()).toMatchObject({ inFlight: 1, queued: 1 })
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', {})
    await settle()
    const next = server.current.requests('tools/call')[1]
    server.current.simulateResult(next?.id ?? 'none', { content: [] })
    await expect(third).resolves.toEqual({ content: [] })
  })

  it('stops waiting for a server that is being restarted', async () => {
    const { start, settle, server, callTool } = createHarness()
    await start()
    server.script.on = { initialize: hold }
    server.current.simulateExit()
    const aborter = new AbortController()
    const failure = failureOf(callTool('any', {}, { signal: aborter.signal }))
    await settle()
    aborter.abort()
    expect(await failure).toMatchObject({ code: 'cancelled', executed: false })
  })

  it('is told why the aborter gave up, when it says so', async () => {
    const { start, settle, callTool } = createHarness({ server: SILENT_CALLS })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('slow', {}, { signal: aborter.signal }))
    await settle()
    aborter.abort(new SwitchboardError('shutting_down', 'the gateway is stopping'))
    expect(await failure).toMatchObject({ code: 'shutting_down' })
  })

  it('is not repeated after the server is lost', async () => {
    const { start, settle, server, callTool } = createHarness({
      server: { tools: [createTool('read', { annotations: { readOnlyHint: true } })], on: { 'tools/call': hold } },
    })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('read', {}, { signal: aborter.signal }))
    await settle()
    aborter.abort()
    server.current.simulateExit()
    await settle()
    expect(await failure).toMatchObject({ code: 'cancelled' })
    expect(server.starts).toHaveLength(2)
    expect(server.current.requests('tools/call')).toEqual([])
  })
})
