import { describe, expect, it } from 'vitest'
import { PRIVATE_POLICY } from '../../src/supervision/policy.ts'
import { EXITED } from '../helpers/fake-transport.ts'
import { createCall, createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

describe('an upstream whose server ends', () => {
  it('notices an exit while nothing is in flight and starts the server again', async () => {
    const { start, settle, server, upstream, logged } = createHarness()
    await start()
    server.current.simulateExit()
    expect(upstream.status().state).toBe('backoff')
    await settle()
    expect(upstream.status()).toMatchObject({ state: 'ready', restarts: 1, attempt: 0 })
    expect(server.starts).toHaveLength(2)
    expect(logged('pool.restart')).toMatchObject([
      { level: 'error', data: { server: 'fake', reason: 'transport-exit', exitCode: 1, attempt: 1, nextWaitMs: 0 } },
    ])
    expect(logged('pool.recovered')).toMatchObject([{ level: 'info', data: { downtimeMs: 0 } }])
  })

  it('closes the old transport before the new one is opened, the way a restart does', async () => {
    const { start, settle, server } = createHarness({ server: { closesSlowly: true } })
    await start()
    server.current.simulateExit()
    await settle()
    expect(server.starts).toHaveLength(1)
    expect(server.current.closes).toEqual([{ manner: 'restart' }])
    server.current.simulateClosed()
    await settle()
    expect(server.starts).toHaveLength(2)
  })

  it('fails the calls in flight with server_exited, its output and "nobody knows whether it ran"', async () => {
    const { start, settle, server, callTool } = createHarness({
      server: { tools: [createTool('write')], on: { 'tools/call': hold } },
    })
    await start()
    const failures = Array.from({ length: 5 }, () => failureOf(callTool('write')))
    await settle()
    server.current.simulateOutput('stderr', 'Error: disk full')
    server.current.simulateExit()
    for (const error of await Promise.all(failures)) {
      expect(error).toMatchObject({ code: 'server_exited', executed: 'unknown' })
      expect(error.details).toMatchObject({ server: 'fake', tool: 'write', stderr: ['Error: disk full'] })
    }
  })

  it('restarts once for two hundred callers, and all of them are served', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      server: { tools: [createTool('read', { annotations: { readOnlyHint: true } })] },
      config: { concurrency: 200 },
    })
    await start()
    server.script.on = { 'tools/call': hold }
    const calls = Array.from({ length: 200 }, () => callTool('read'))
    await clock.advanceAsync(0)
    server.script.on = {}
    server.current.simulateExit()
    expect(upstream.status().state).toBe('backoff')
    await clock.advanceAsync(0)
    const results = await Promise.all(calls)
    expect(results).toHaveLength(200)
    expect(server.starts).toHaveLength(2)
  })

  it('starts one process for many concurrent first users', async () => {
    const { callTool, server, settle } = createHarness({ config: { start: 'lazy', concurrency: 100 } })
    const calls = Array.from({ length: 100 }, () => callTool('any'))
    await settle()
    await Promise.all(calls)
    expect(server.starts).toHaveLength(1)
  })

  it('makes a new call wait for an attempt that is due within restartWait', async () => {
    const { start, clock, server, callTool, upstream } = createHarness()
    await start()
    // The second restart within a minute is due after 1 s.
    server.current.simulateExit()
    await clock.advanceAsync(0)
    server.current.simulateExit()
    const call = callTool('any')
    await clock.advanceAsync(999)
    expect(upstream.status().state).toBe('backoff')
    await clock.advanceAsync(1)
    await expect(call).resolves.toMatchObject({ content: [{ text: 'done' }] })
  })

  it('fails a new call at once with restart_in_progress when the attempt is due later than that', async () => {
    const { start, clock, server, callTool } = createHarness({ config: { restartWait: 500 } })
    await start()
    server.current.simulateExit()
    await clock.advanceAsync(0)
    server.current.simulateExit()
    await clock.advanceAsync(300)
    const error = await failureOf(callTool('any'))
    expect(error).toMatchObject({
      code: 'restart_in_progress',
      retryAfterMs: 700,
      executed: false,
      retryable: true,
    })
  })

  it('fails a call that waited restartWait in vain, and the attempt goes on', async () => {
    const { start, clock, server, callTool } = createHarness()
    await start()
    server.script.on = { initialize: hold }
    server.current.simulateExit()
    await clock.advanceAsync(0)
    const failure = failureOf(callTool('any'))
    await clock.advanceAsync(4999)
    server.current.simulateOutput('stderr', 'still loading')
    await clock.advanceAsync(1)
    expect(await failure).toMatchObject({ code: 'restart_in_progress', details: { stderr: ['still loading'] } })
    expect(server.starts).toHaveLength(2)
  })

  it('answers restart_failed with the reason after an attempt that failed', async () => {
    const { start, clock, server, callTool, upstream } = createHarness()
    await start()
    server.script.on = { initialize: () => ({ exit: { ...EXITED, message: 'cannot open its database' } }) }
    server.current.simulateExit()
    const waiting = failureOf(callTool('any'))
    await clock.advanceAsync(20_000)
    expect(await waiting).toMatchObject({ code: 'restart_failed', details: { reason: 'start-failed' } })
    expect(upstream.status()).toMatchObject({ state: 'backoff', reason: 'cannot open its database', attempt: 6 })
    const error = await failureOf(callTool('any'))
    expect(error).toMatchObject({ code: 'restart_failed', retryable: true, details: { reason: 'start-failed' } })
    expect(error.message).toContain('cannot open its database')
    expect(error.retryAfterMs).toBe(upstream.status().nextAttemptInMs)
  })

  it('lets a call wait through the quick tries of a first start', async () => {
    let tries = 0
    const { start, clock, server, callTool, logged } = createHarness({
      server: {
        on: {
          initialize: () =>
            ++tries < 4 ? { exit: EXITED } : { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
        },
      },
    })
    await start()
    const call = callTool('any')
    await clock.advanceAsync(100 + 200 + 400)
    await expect(call).resolves.toBeDefined()
    expect(server.starts).toHaveLength(4)
    expect(logged('pool.retry').map(({ data }) => (data as { nextWaitMs: number }).nextWaitMs)).toEqual([100, 200, 400])
    expect(logged('pool.recovered')).toHaveLength(1)
  })

  it('gives a call up only when its own budget is over while a silent server starts for the first time', async () => {
    const { start, clock, callTool } = createHarness({ server: { on: { initialize: hold } } })
    await start()
    const failure = failureOf(callTool('any', {}, { timeout: 20_000 }))
    await clock.advanceAsync(19_999)
    await clock.advanceAsync(1)
    expect(await failure).toMatchObject({ code: 'restart_in_progress', executed: false })
  })

  it('gives a handshake initTimeout and then a fresh process', async () => {
    const { start, clock, server, logged } = createHarness({
      server: { on: { initialize: hold } },
      config: { initTimeout: 7000 },
    })
    await start()
    await clock.advanceAsync(6999)
    expect(server.starts).toHaveLength(1)
    await clock.advanceAsync(101)
    expect(server.starts).toHaveLength(2)
    expect(server.starts[0]?.closes).toEqual([{ manner: 'restart' }])
    expect(logged('pool.retry')[0]?.msg).toContain('no answer to its handshake within 7000 ms')
  })

  it('calls a missing program not_installed, with the way to install it', async () => {
    const { start, callTool, upstream } = createHarness({
      server: { failsToOpen: { reason: 'not_installed', message: 'the command "fake" was not found on the PATH' } },
      config: { install: 'npm install -g fake' },
    })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'not_installed', install: 'npm install -g fake' })
    const error = await failureOf(callTool('any'))
    expect(error).toMatchObject({ code: 'not_installed', hint: 'Install it with: npm install -g fake' })
  })

  it('finds a program that is installed later', async () => {
    const { start, server, clock, upstream } = createHarness({
      server: { failsToOpen: { reason: 'not_installed', message: 'missing' } },
    })
    await start()
    await clock.advanceAsync(10_000)
    expect(upstream.status().state).toBe('not_installed')
    server.script.failsToOpen = undefined
    await clock.advanceAsync(60_000)
    expect(upstream.status().state).toBe('ready')
  })

  it('gives a private server up after one retry; its callers get restart_failed that is not retryable', async () => {
    const { start, clock, server, callTool, upstream } = createHarness({
      policy: PRIVATE_POLICY,
      server: { on: { initialize: () => ({ exit: EXITED }) } },
    })
    await start()
    await clock.advanceAsync(3600_000)
    expect(server.starts).toHaveLength(2)
    expect(upstream.status().state).toBe('failed')
    expect(await failureOf(callTool('any'))).toMatchObject({ code: 'restart_failed', retryable: false })
    expect(server.starts).toHaveLength(2)
  })

  it('ignores what a connection that was replaced still has to say', async () => {
    const { start, settle, server, upstream } = createHarness()
    await start()
    const old = server.current
    upstream.restart()
    await settle()
    old.simulateExit()
    old.simulateNotification('notifications/tools/list_changed')
    await settle()
    expect(server.starts).toHaveLength(2)
    expect(upstream.status().state).toBe('ready')
    expect(server.current.requests('tools/list')).toHaveLength(1)
  })

  it('never has two processes, even when it is restarted by hand twice in a row', async () => {
    const { start, settle, server, upstream } = createHarness({ server: { closesSlowly: true } })
    await start()
    upstream.restart()
    upstream.restart()
    await settle()
    expect(server.starts).toHaveLength(1)
    server.starts[0]?.simulateClosed()
    await settle()
    expect(server.starts).toHaveLength(2)
    expect(upstream.status().state).toBe('ready')
  })

  it('fires nothing when the wall clock jumps by a day', async () => {
    const { start, clock, server, callTool, upstream, settle } = createHarness({
      server: { on: { 'tools/call': hold } },
    })
    await start()
    const call = callTool('any')
    await settle()
    clock.jumpWallTime(24 * 3600_000)
    await settle()
    clock.jumpWallTime(-48 * 3600_000)
    await settle()
    expect(upstream.status()).toMatchObject({ state: 'ready', uptimeMs: 0, inFlight: 1 })
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', { content: [] })
    await expect(call).resolves.toEqual({ content: [] })
  })
})

describe('an upstream that is stopped', () => {
  it('cancels an attempt that waits, and refuses calls', async () => {
    const { start, clock, server, upstream, callTool } = createHarness({
      server: { on: { initialize: () => ({ exit: EXITED }) } },
    })
    await start()
    await clock.advanceAsync(5000)
    const starts = server.starts.length
    await upstream.stop()
    expect(clock.pendingTimers()).toEqual([])
    await clock.advanceAsync(3600_000)
    expect(server.starts).toHaveLength(starts)
    expect(await failureOf(callTool('any'))).toMatchObject({ code: 'server_stopped' })
  })

  it('fails calls in flight with shutting_down and does not repeat them', async () => {
    const { start, settle, server, upstream, callTool } = createHarness({
      server: {
        tools: [createTool('read', { annotations: { readOnlyHint: true } })],
        on: { 'tools/call': hold },
      },
    })
    await start()
    const failure = failureOf(callTool('read'))
    await settle()
    await upstream.stop()
    expect(await failure).toMatchObject({ code: 'shutting_down' })
    expect(server.starts).toHaveLength(1)
    expect(server.current.closes[0]).toEqual({ manner: 'stop' })
  })

  it('fails calls that wait for a restart', async () => {
    const { start, settle, server, upstream, callTool } = createHarness()
    await start()
    server.script.on = { initialize: hold }
    server.current.simulateExit()
    const failure = failureOf(callTool('any'))
    await settle()
    await upstream.stop()
    expect(await failure).toMatchObject({ code: 'shutting_down', executed: false })
  })

  it('leaves no timer behind, whatever it was doing', async () => {
    for (const idleTimeout of [undefined, 60_000]) {
      const { start, settle, upstream, callTool, clock } = createHarness({
        server: { on: { 'tools/call': hold } },
        config: { idleTimeout },
      })
      await start()
      const failure = failureOf(callTool('any'))
      await settle()
      await upstream.stop()
      await failure
      await failureOf(callTool('any'))
      expect(clock.pendingTimers()).toEqual([])
    }
  })

  it('is forced by a second stop, also what was being replaced', async () => {
    for (const replacing of [false, true]) {
      const { start, settle, server, upstream } = createHarness({ server: { closesSlowly: true } })
      await start()
      if (replacing) upstream.restart()
      const stopped = upstream.stop()
      await settle()
      expect(server.current.closes).toHaveLength(1)
      await upstream.stop({ force: true })
      await stopped
      expect(server.current.closes.at(-1)).toEqual({ force: true })
      expect(server.starts).toHaveLength(1)
      expect(upstream.status().state).toBe('stopped')
    }
  })

  it('can be started again by hand', async () => {
    const { start, settle, upstream, callTool } = createHarness()
    await start()
    await upstream.stop()
    upstream.restart()
    await settle()
    await expect(upstream.request('ping', {}, createCall())).resolves.toEqual({})
    await expect(callTool('any')).resolves.toBeDefined()
  })
})
