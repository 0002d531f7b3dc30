/** The restart scenarios that were asked for by number, against real processes and with our own schedule. */
import { catchRejection, textOf, waitForJournal } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { createFastClock, dataOf, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

/** A healthy server answers within it on a loaded machine; one whose event loop is blocked never does. */
const PROBE = { healthProbeTimeout: 600, restartGraces: { input: 0, terminate: 100 } }

const isCallOf = (tool: string) => (entry: { message?: { params?: Record<string, unknown> } }) =>
  entry.message?.params?.name === tool

describe('66-shared', () => {
  test('a timeout with a good probe keeps the server, one with a failed probe restarts it once, an abort never does', async () => {
    const server = { ...bench.stdio('a'), healthProbe: 'listTools' as const }
    const { pool, logged, reached, status } = bench.open({ mcpServers: { a: server } }, { timings: PROBE })
    pool.start()
    await pool.ready()

    expect((await catchRejection(pool.call('a_hang', {}, { timeout: 100 }))).code).toBe('timeout')
    await reached('a', 'ready', 2)
    expect(await bench.entries('a', 'start')).toHaveLength(1)

    expect((await catchRejection(pool.call('a_block', { ms: 30_000 }, { timeout: 100 }))).code).toBe('timeout')
    await reached('a', 'backoff')
    expect(textOf(await pool.call('a_echo', { text: 'restarted' }))).toBe('restarted')

    const cancel = new AbortController()
    const cancelled = catchRejection(pool.call('a_hang', {}, { signal: cancel.signal }))
    await waitForJournal(bench.journal('a'), (entry) => entry.pid === status('a').pid && isCallOf('hang')(entry))
    cancel.abort()
    expect((await cancelled).code).toBe('cancelled')
    expect(textOf(await pool.call('a_echo', { text: 'still here' }))).toBe('still here')

    expect(await bench.entries('a', 'start')).toHaveLength(2)
    expect(await bench.received('a', 'initialize')).toHaveLength(2)
    expect(logged('pool.restart').map((entry) => dataOf(entry).reason)).toEqual(['probe-failed'])
    expect(logged('pool.recovered')).toHaveLength(1)
  })

  test('the same over http, where the process is not ours to kill', async () => {
    const remote = await bench.remote('a', 'http')
    const server = { url: remote.url, healthProbe: 'listTools' as const }
    const { pool, logged, reached } = bench.open({ mcpServers: { a: server } }, { timings: PROBE })
    pool.start()
    await pool.ready()

    expect((await catchRejection(pool.call('a_hang', {}, { timeout: 100 }))).code).toBe('timeout')
    await reached('a', 'ready', 2)
    expect(await bench.received('a', 'initialize')).toHaveLength(1)

    expect((await catchRejection(pool.call('a_block', { ms: 1500 }, { timeout: 100 }))).code).toBe('timeout')
    await reached('a', 'backoff')
    expect(textOf(await pool.call('a_echo', { text: 'reconnected' }))).toBe('reconnected')

    const cancel = new AbortController()
    const cancelled = catchRejection(pool.call('a_slow', { ms: 60_000 }, { signal: cancel.signal }))
    await waitForJournal(bench.journal('a'), isCallOf('slow'))
    cancel.abort()
    expect((await cancelled).code).toBe('cancelled')
    await waitForJournal(bench.journal('a'), ({ event }) => event === 'heeded-cancel')

    expect(await bench.received('a', 'initialize')).toHaveLength(2)
    expect(await bench.entries('a', 'start')).toHaveLength(1)
    expect(logged('pool.restart').map((entry) => dataOf(entry).reason)).toEqual(['probe-failed'])
    expect(logged('pool.recovered')).toHaveLength(1)
  })
})

describe('67-private', () => {
  const caller = { instance: 'window-1' }

  test('a timeout of a server that stands still restarts it, an abort does not', async () => {
    const server = { ...bench.stdio('a'), shared: false, start: 'lazy' as const, healthProbe: 'listTools' as const }
    const { pool, logged, reached } = bench.open({ mcpServers: { a: server } }, { timings: PROBE })
    const cancel = new AbortController()
    const cancelled = catchRejection(pool.call('a_hang', {}, { signal: cancel.signal, caller }))
    await waitForJournal(bench.journal('a'), isCallOf('hang'))
    cancel.abort()
    expect((await cancelled).code).toBe('cancelled')
    const before = textOf(await pool.call('a_pid', {}, { caller }))
    expect(await bench.entries('a', 'start')).toHaveLength(1)

    expect((await catchRejection(pool.call('a_block', { ms: 30_000 }, { timeout: 100, caller }))).code).toBe('timeout')
    await reached('a', 'backoff')
    const after = textOf(await pool.call('a_pid', {}, { caller }))

    expect(after).not.toBe(before)
    expect(await bench.entries('a', 'start')).toHaveLength(2)
    expect(logged('pool.restart').map((entry) => dataOf(entry).reason)).toEqual(['probe-failed'])
  })

  test('gets one retry, then fails its own instance and no other', async () => {
    const script = { startsFile: bench.directory.file('starts'), overrides: { '2': { failStart: 6 } } }
    const server = { ...bench.stdio('a', script), shared: false, start: 'lazy' as const }
    const { pool, logged } = bench.open({ mcpServers: { a: server } })
    expect((await catchRejection(pool.call('a_exit', { code: 3 }, { caller }))).code).toBe('server_exited')
    const failure = await catchRejection(pool.call('a_echo', { text: 'x' }, { caller }))
    expect(failure).toMatchObject({ code: 'restart_failed', retryable: false })
    expect(logged('pool.gave_up')).toHaveLength(1)
    expect(await bench.entries('a', 'start')).toHaveLength(2)

    const other = await pool.call('a_echo', { text: 'mine works' }, { caller: { instance: 'window-2' } })
    expect(textOf(other)).toBe('mine works')
  })
})

test('71-restart-success: a server exits under a hanging call, and the second call says that it has recovered', async () => {
  const script = {
    startsFile: bench.directory.file('starts'),
    tools: [{ name: 'phase', reaction: { do: 'silent' as const } }],
    overrides: { '2': { tools: [{ name: 'phase', result: { content: [{ type: 'text', text: 'recovered' }] } }] } },
  }
  const { pool, logged } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
  pool.start()
  const first = catchRejection(pool.call('a_phase'))
  await pool.call('a_exit', { code: 9, delayMs: 150 })
  expect(await first).toMatchObject({ code: 'server_exited', executed: 'unknown' })
  expect(textOf(await pool.call('a_phase'))).toBe('recovered')
  expect(dataOf(logged('pool.restart')[0])).toMatchObject({ reason: 'transport-exit', exitCode: 9, nextWaitMs: 0 })
  expect(dataOf(logged('pool.recovered')[0]).downtimeMs).toBeGreaterThanOrEqual(0)
})

describe('72-restart-failure', () => {
  test('a server that never starts answers a call with restart_failed, its reason and its last words', async () => {
    const script = { failFirstStarts: 1000, startsFile: bench.directory.file('starts') }
    const server = { ...bench.stdio('a', script), restartWait: '600s' }
    const { pool, logged } = bench.open({ mcpServers: { a: server } }, { clock: createFastClock(10) })
    pool.start()
    const failure = await catchRejection(pool.call('a_echo', { text: 'x' }, { timeout: 600_000 }))
    expect(failure).toMatchObject({ code: 'restart_failed', executed: false, retryable: true })
    expect(failure.message).toContain('code 5')
    expect(failure.details).toMatchObject({ server: 'a', reason: 'start-failed' })
    expect(String(failure.details.stderr)).toContain('the fixture fails start')
    // The tries of the first start, then the schedule.
    expect(logged('pool.retry').map((entry) => dataOf(entry).nextWaitMs)).toEqual([100, 200, 400, 800, 1000])
    expect(dataOf(logged('pool.restart')[0])).toMatchObject({ reason: 'start-failed', attempt: 1 })
  })

  test('a restart that fails answers the call that waited for it', async () => {
    const script = { startsFile: bench.directory.file('starts'), overrides: { later: { failStart: 6 }, '1': {} } }
    const { pool } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
    pool.start()
    expect((await catchRejection(pool.call('a_exit'))).code).toBe('server_exited')
    const failure = await catchRejection(pool.call('a_echo', { text: 'x' }))
    expect(failure).toMatchObject({ code: 'restart_failed', retryable: true })
    expect(failure.message).toContain('code 6')
    expect(failure.retryAfterMs).toBeGreaterThan(0)
  })
})

test('72-shared-restart-error: a blocked server whose restart fails is accounted for as restart_failed', async () => {
  // Every later one: on a busy machine the third start may be there before the call.
  const script = { startsFile: bench.directory.file('starts'), overrides: { later: { failStart: 6 }, '1': {} } }
  const server = { ...bench.stdio('a', script), healthProbe: 'listTools' as const, toolTimeouts: { block: 100 } }
  const { pool, events, logged, reached } = bench.open({ mcpServers: { a: server } }, { timings: PROBE })
  pool.start()
  await pool.ready()
  const blocked = await catchRejection(pool.call('a_block', { ms: 30_000 }))
  expect(blocked.code).toBe('timeout')
  await reached('a', 'backoff')
  expect((await catchRejection(pool.call('a_echo', { text: 'x' }))).code).toBe('restart_failed')
  const outcomes = events.flatMap((event) => (event.type === 'tool_called' ? [event.error?.code] : []))
  expect(outcomes).toEqual(['timeout', 'restart_failed'])
  const reasons = logged('pool.restart').map((entry) => dataOf(entry).reason)
  expect(reasons.slice(0, 2)).toEqual(['probe-failed', 'start-failed'])
})

test('72-probe-success-no-restart: a hanging tool of a living server times out, and nothing is restarted', async () => {
  const { pool, log, reached } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  const failure = await catchRejection(pool.call('a_hang', {}, { timeout: 100 }))
  expect(failure).toMatchObject({ code: 'timeout', executed: 'unknown' })
  await reached('a', 'ready', 2)
  expect(await bench.received('a', 'ping')).toHaveLength(1)
  expect(await bench.entries('a', 'start')).toHaveLength(1)
  expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
})

test('73-shared-restart-backoff: two failing restarts, and the third brings it back', async () => {
  const script = {
    startsFile: bench.directory.file('starts'),
    overrides: { '2': { failStart: 6 }, '3': { failStart: 6 } },
  }
  const { pool, logged, states, reached } = bench.open(
    { mcpServers: { a: bench.stdio('a', script) } },
    { clock: createFastClock(10) },
  )
  pool.start()
  await pool.ready()
  expect((await catchRejection(pool.call('a_exit', { code: 1 }))).code).toBe('server_exited')
  await reached('a', 'ready', 2)
  expect(states('a')).toEqual([
    'starting',
    'ready',
    ...['backoff', 'starting'],
    ...['backoff', 'starting'],
    ...['backoff', 'starting'],
    'ready',
  ])
  const attempts = logged('pool.restart').map((entry) => {
    const { reason, attempt, nextWaitMs } = dataOf(entry)
    return [reason, attempt, nextWaitMs]
  })
  expect(attempts).toEqual([
    ['transport-exit', 1, 0],
    ['start-failed', 2, 1000],
    ['start-failed', 3, 2000],
  ])
  expect(logged('pool.restart').every(({ level }) => level === 'error')).toBe(true)
  expect(logged('pool.recovered').map(({ level }) => level)).toEqual(['info'])
  expect(dataOf(logged('pool.recovered')[0]).attempt).toBe(3)
  expect(await bench.entries('a', 'start')).toHaveLength(4)
  expect(textOf(await pool.call('a_echo', { text: 'recovered' }))).toBe('recovered')
})

test('74-idle-exit-restart: a child that exits while nobody calls is noticed and brought back by itself', async () => {
  const script = { startsFile: bench.directory.file('starts'), overrides: { '1': { exitAfterIdleMs: 100 } } }
  const { pool, logged, reached } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
  pool.start()
  await reached('a', 'ready', 2)
  expect(logged('pool.restart').map((entry) => dataOf(entry).reason)).toEqual(['transport-exit'])
  expect(logged('pool.recovered')).toHaveLength(1)
  expect(textOf(await pool.call('a_echo', { text: 'recovered' }))).toBe('recovered')
})
