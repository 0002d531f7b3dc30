/** Slow is not dead, and a caller who changes their mind is no reason to restart anything. */
import { catchRejection, type FixtureScript, textOf, waitForJournal } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

test('a hanging call delays no other call on the same server', async () => {
  const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  const over = new AbortController()
  let settled = false
  const hanging = catchRejection(pool.call('a_hang', {}, { signal: over.signal })).finally(() => {
    settled = true
  })
  await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'hang')
  const others = Array.from({ length: 50 }, (_, index) => pool.call('a_echo', { text: String(index) }))
  expect((await Promise.all(others)).map(textOf)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)))
  expect(settled).toBe(false)
  expect(status('a').inFlight).toBe(1)
  over.abort()
  expect((await hanging).code).toBe('cancelled')
})

test('answers that come in another order reach their own callers', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  const calls = Array.from({ length: 10 }, (_, index) => pool.call('a_reorder', { size: 10, text: String(index) }))
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array.from({ length: 10 }, (_, index) => String(index)))
})

test('a slow but healthy server is never restarted, however many of its calls time out', async () => {
  // The probe takes longer to answer than the calls of a round are apart in timing out.
  const script: FixtureScript = { on: { ping: { do: 'delay', ms: 250 } } }
  const { pool, log, events, reached } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
  pool.start()
  await pool.ready()
  for (let round = 1; round <= 3; round++) {
    const calls = Array.from({ length: 4 }, () => catchRejection(pool.call('a_slow', { ms: 60_000 }, { timeout: 50 })))
    expect((await Promise.all(calls)).map(({ code }) => code)).toEqual(Array(4).fill('timeout'))
    await reached('a', 'ready', round + 1)
  }
  expect(textOf(await pool.call('a_echo', { text: 'healthy' }))).toBe('healthy')
  expect(await bench.entries('a', 'start')).toHaveLength(1)
  // Calls that time out together share one probe.
  expect(await bench.received('a', 'ping')).toHaveLength(3)
  expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
  expect(events.some((event) => event.type === 'state_changed' && event.state === 'backoff')).toBe(false)
  // Each was told to stop, and did.
  await waitForJournal(bench.journal('a'), ({ event }) => event === 'heeded-cancel')
  expect(await bench.received('a', 'notifications/cancelled')).toHaveLength(12)
})

describe('a caller cancels', () => {
  test('on stdio the server is told which request, and nothing is restarted or probed', async () => {
    const { pool, states } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    await pool.ready()
    const cancel = new AbortController()
    const call = catchRejection(pool.call('a_slow', { ms: 60_000 }, { signal: cancel.signal }))
    const sent = await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'slow')
    cancel.abort()
    expect(await call).toMatchObject({ code: 'cancelled', executed: 'unknown' })
    const told = await waitForJournal(
      bench.journal('a'),
      ({ message }) => message?.method === 'notifications/cancelled',
    )
    expect(told.message?.params?.requestId).toBe(sent.message?.id)
    await waitForJournal(bench.journal('a'), ({ event }) => event === 'heeded-cancel')
    expect(textOf(await pool.call('a_echo', { text: 'on' }))).toBe('on')
    expect(states('a')).toEqual(['starting', 'ready'])
    expect(await bench.received('a', 'ping')).toEqual([])
  })

  test('a call that is cancelled before it is sent is never sent', async () => {
    const { pool } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), concurrency: 1 } } })
    pool.start()
    await pool.ready()
    const first = new AbortController()
    const holding = catchRejection(pool.call('a_hang', {}, { signal: first.signal }))
    await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'hang')
    const second = new AbortController()
    const queued = catchRejection(pool.call('a_echo', { text: 'never' }, { signal: second.signal }))
    second.abort()
    expect(await queued).toMatchObject({ code: 'cancelled', executed: false })
    first.abort()
    await holding
    expect(textOf(await pool.call('a_echo', { text: 'next' }))).toBe('next')
    const texts = (await bench.received('a', 'tools/call')).map(({ message }) => message?.params?.arguments)
    expect(texts).toEqual([{}, { text: 'next' }])
  })

  test('an answer that comes after the cancel is counted and disturbs nobody', async () => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    await pool.ready()
    const cancel = new AbortController()
    const call = catchRejection(pool.call('a_late', {}, { signal: cancel.signal }))
    await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'late')
    cancel.abort()
    expect((await call).code).toBe('cancelled')
    await waitForJournal(bench.journal('a'), ({ event }) => event === 'answered-late')
    expect(textOf(await pool.call('a_echo', { text: 'on' }))).toBe('on')
    expect(status('a').counters).toMatchObject({ lateReplies: 1, droppedReplies: 0 })
  })

  test.each(['sse', 'websocket', 'http'] as const)('over legacy %s the server is told too', async (type) => {
    const remote = await bench.remote('a', type)
    const { pool, states } = bench.open({ mcpServers: { a: { type, url: remote.url } } })
    pool.start()
    await pool.ready()
    const cancel = new AbortController()
    const call = catchRejection(pool.call('a_slow', { ms: 60_000 }, { signal: cancel.signal }))
    const sent = await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'slow')
    cancel.abort()
    expect((await call).code).toBe('cancelled')
    const told = await waitForJournal(
      bench.journal('a'),
      ({ message }) => message?.method === 'notifications/cancelled',
    )
    expect(told.message?.params?.requestId).toBe(sent.message?.id)
    expect(textOf(await pool.call('a_echo', { text: 'on' }))).toBe('on')
    expect(states('a')).toEqual(['starting', 'ready'])
  })

  test('over modern http the server sees the stream of that one call close', async () => {
    const remote = await bench.remote('a', 'http', { era: 'modern' })
    const { pool, states } = bench.open({ mcpServers: { a: { url: remote.url } } })
    pool.start()
    await pool.ready()
    const cancel = new AbortController()
    const call = catchRejection(pool.call('a_slow', { ms: 60_000 }, { signal: cancel.signal }))
    const sent = await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'slow')
    const other = pool.call('a_slow', { ms: 300 })
    cancel.abort()
    expect((await call).code).toBe('cancelled')
    const seen = await waitForJournal(bench.journal('a'), ({ event }) => event === 'cancelled')
    expect(seen).toMatchObject({ id: sent.message?.id, reason: 'disconnected', underWay: true })
    expect(textOf(await other)).toBe('slept 300 ms')
    expect(await bench.received('a', 'notifications/cancelled')).toEqual([])
    expect(states('a')).toEqual(['starting', 'ready'])
  })
})
