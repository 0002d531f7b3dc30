/** close() in every moment of a server's life: nothing begins afterwards, and a second close never makes it worse. */
import { catchRejection, findByMarker, isAlive, textOf, waitForJournal } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { createFastClock, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

const MUTE = { on: { initialize: { do: 'silent' as const }, 'server/discover': { do: 'silent' as const } } }
const STUBBORN = { ignoreEof: true, ignoreSignals: true }
/** So long that a test that had to wait for them would fail. */
const ENDLESS = { stopGraces: { input: 600_000, terminate: 600_000 } }

test('an idle pool that was never started closes at once', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  await pool.close()
  expect(await bench.entries('a')).toEqual([])
  expect(() => pool.start()).toThrow(expect.objectContaining({ code: 'shutting_down' }))
})

test('close() ends a well-behaved server by the end of its stdin, without a signal', async () => {
  const { pool, states } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  await pool.close()
  expect((await bench.entries('a')).slice(-2).map(({ event }) => event)).toEqual(['eof', 'exit'])
  expect(await bench.entries('a', 'signal')).toEqual([])
  expect(states('a')).toEqual(['starting', 'ready', 'stopping', 'stopped'])
})

test('close() during a start ends the start: its waiting call fails, and no attempt follows', async () => {
  const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a', MUTE) } })
  pool.start()
  const call = catchRejection(pool.call('a_echo', { text: 'x' }))
  await waitForJournal(bench.journal('a'), ({ message }) => message?.method === 'server/discover')
  expect(status('a').state).toBe('starting')
  await pool.close()
  expect(await call).toMatchObject({ code: expect.stringMatching(/^(shutting_down|server_stopped)$/), executed: false })
  expect(await findByMarker(bench.marker)).toEqual([])
  expect(await bench.entries('a', 'start')).toHaveLength(1)
})

test('close() during a backoff wait: the attempt that was due never comes', async () => {
  const script = { startsFile: bench.directory.file('starts'), overrides: { '2': { failStart: 6 } } }
  const { pool, status, reached, states, timers } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
  pool.start()
  await pool.ready()
  process.kill(status('a').pid ?? 0, 'SIGKILL')
  await reached('a', 'backoff', 2)
  expect(status('a').nextAttemptInMs).toBeGreaterThan(0)
  await pool.close()
  expect(states('a').slice(-2)).toEqual(['stopping', 'stopped'])
  expect(timers()).toBe(0)
  expect(await bench.entries('a', 'start')).toHaveLength(2)
  expect((await catchRejection(pool.call('a_echo', { text: 'x' }))).code).toBe('shutting_down')
})

test('close() between the tries of a first start: no further try', async () => {
  const script = { startsFile: bench.directory.file('starts'), failFirstStarts: 1000 }
  const slowly = { clock: createFastClock(0.1) }
  const { pool, logged, timers } = bench.open({ mcpServers: { a: bench.stdio('a', script) } }, slowly)
  pool.start()
  await pool.ready()
  await pool.close()
  expect(timers()).toBe(0)
  expect(logged('pool.retry')).toHaveLength(1)
  expect(await bench.entries('a', 'start')).toHaveLength(1)
})

test('a call in flight fails when the pool closes, and its outcome is unknown', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  const call = catchRejection(pool.call('a_hang'))
  await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'hang')
  await pool.close()
  expect(await call).toMatchObject({ code: 'shutting_down', executed: 'unknown' })
})

test('with drain, calls in flight are answered first', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  const call = pool.call('a_slow', { ms: 300 })
  await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'slow')
  await pool.close({ drain: 20_000 })
  expect(textOf(await call)).toBe('slept 300 ms')
})

describe('twice', () => {
  test('two closes at once are one: both resolve when nothing is left', async () => {
    const { pool } = bench.open(
      { mcpServers: { a: bench.stdio('a', STUBBORN) } },
      { timings: { stopGraces: { input: 100, terminate: 100 } } },
    )
    pool.start()
    await pool.ready()
    await Promise.all([pool.close(), pool.close()])
    expect(await findByMarker(bench.marker)).toEqual([])
    expect(await bench.entries('a', 'signal')).toHaveLength(1)
    await pool.close()
  })

  test('a second close with force cuts the graces of the first short', async () => {
    const { pool } = bench.open({ mcpServers: { a: bench.stdio('a', STUBBORN) } }, { timings: ENDLESS })
    pool.start()
    await pool.ready()
    const patient = pool.close()
    await waitForJournal(bench.journal('a'), ({ event }) => event === 'eof')
    await pool.close({ force: true })
    await patient
    expect(await findByMarker(bench.marker)).toEqual([])
  })
})

test('close with force waits for no grace at all', async () => {
  const script = { ...STUBBORN, grandchild: { ignoreSigterm: true } }
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a', script) } }, { timings: ENDLESS })
  pool.start()
  await pool.ready()
  await pool.close({ force: true })
  expect(await findByMarker(bench.marker)).toEqual([])
})

describe('one server', () => {
  test('stopServer ends that one alone; it stays down until it is restarted by hand', async () => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a'), b: bench.stdio('b') } })
    pool.start()
    await pool.ready()
    const [a = 0, b = 0] = [status('a').pid, status('b').pid]
    await pool.stopServer('a')
    expect(await isAlive(a)).toBe(false)
    expect((await catchRejection(pool.call('a_echo', { text: 'x' }))).code).toBe('server_stopped')
    expect(textOf(await pool.call('b_pid'))).toBe(String(b))
    pool.restartServer('a')
    expect(textOf(await pool.call('a_echo', { text: 'again' }))).toBe('again')
    expect(await bench.entries('a', 'start')).toHaveLength(2)
    expect(await bench.entries('b', 'start')).toHaveLength(1)
  })

  test('two restarts by hand at once: never two processes at a time', async () => {
    const { pool, reached } = bench.open(
      { mcpServers: { a: bench.stdio('a', { ignoreEof: true, ignoreSignals: true }) } },
      { timings: { restartGraces: { input: 0, terminate: 300 }, stopGraces: { input: 100, terminate: 100 } } },
    )
    pool.start()
    await pool.ready()
    const before = textOf(await pool.call('a_pid'))
    pool.restartServer('a')
    pool.restartServer('a')
    const start = await waitForJournal(
      bench.journal('a'),
      (entry) => entry.event === 'start' && entry.pid !== Number(before),
    )
    expect(await isAlive(Number(before))).toBe(false)
    await reached('a', 'ready', 2)
    expect(textOf(await pool.call('a_pid'))).toBe(String(start.pid))
    expect(await bench.entries('a', 'start')).toHaveLength(2)
  })
})
