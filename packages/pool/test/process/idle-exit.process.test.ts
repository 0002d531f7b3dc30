/** The death of a server is noticed while nobody calls it, on every transport, and costs one restart however many wait. */
import { performance } from 'node:perf_hooks'
import { type FixtureScript, textOf, waitFor, waitForJournal } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { createFastClock, dataOf, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

test('kill -9 of an idle stdio server is noticed, and it is back before the next call', async () => {
  const { pool, logged, states, status, reached } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  pool.start()
  await pool.ready()
  const { pid = 0 } = status('a')
  const killedAt = performance.now()
  process.kill(pid, 'SIGKILL')
  await reached('a', 'backoff')
  const noticedAfter = performance.now() - killedAt
  await reached('a', 'ready', 2)
  const backAfter = performance.now() - killedAt
  console.log(`stdio: noticed after ${noticedAfter.toFixed(1)} ms, ready again after ${backAfter.toFixed(0)} ms`)

  expect(states('a')).toEqual(['starting', 'ready', 'backoff', 'starting', 'ready'])
  expect(dataOf(logged('pool.restart')[0])).toMatchObject({ reason: 'transport-exit', exitSignal: 'SIGKILL' })
  expect(status('a').pid).not.toBe(pid)
  expect(textOf(await pool.call('a_pid'))).toBe(String(status('a').pid))
  expect(await bench.entries('a', 'start')).toHaveLength(2)
})

test.each([16, 256])(
  '200 callers at the moment of the kill cause one restart and all succeed (concurrency %i)',
  async (concurrency) => {
    const { pool, logged, status } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), concurrency } } })
    pool.start()
    await pool.ready()
    process.kill(status('a').pid ?? 0, 'SIGKILL')
    const calls = Array.from({ length: 200 }, (_, index) => pool.call('a_add', { a: index, b: 1 }))
    const sums = (await Promise.all(calls)).map(textOf)
    expect(sums).toEqual(Array.from({ length: 200 }, (_, index) => String(index + 1)))
    expect(await bench.entries('a', 'start')).toHaveLength(2)
    expect(logged('pool.restart')).toHaveLength(1)
  },
)

test('200 callers that come once the kill is noticed wait for the one restart and succeed, whatever the tool', async () => {
  const { pool, status, reached } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), concurrency: 256 } } })
  pool.start()
  await pool.ready()
  process.kill(status('a').pid ?? 0, 'SIGKILL')
  await reached('a', 'backoff')
  const calls = Array.from({ length: 200 }, (_, index) => pool.call('a_echo', { text: String(index) }))
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array.from({ length: 200 }, (_, index) => String(index)))
  expect(await bench.entries('a', 'start')).toHaveLength(2)
})

test('a read-only call that dies with its server is repeated once by itself; one that may have written is not', async () => {
  const script = { dieOnceFile: bench.directory.file('died') }
  const { pool, logged } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
  pool.start()
  expect(textOf(await pool.call('a_lookup', { key: 'k' }))).toBe('found k')
  expect(logged('pool.repeat')).toHaveLength(1)
  await expect(pool.call('a_write_once', { key: 'k' })).rejects.toMatchObject({
    code: 'server_exited',
    executed: 'unknown',
  })
  expect(textOf(await pool.call('a_write_once', { key: 'k' }))).toBe('wrote k')
  expect(await bench.entries('a', 'start')).toHaveLength(3)
})

interface Remote {
  readonly what: string
  readonly type: 'http' | 'sse' | 'websocket'
  readonly script?: FixtureScript
}

test.each<Remote>([
  { what: 'http, by its GET stream', type: 'http' },
  { what: 'modern http, by its listen stream', type: 'http', script: { era: 'modern' } },
  { what: 'sse', type: 'sse' },
  { what: 'websocket', type: 'websocket' },
])('the end of an idle remote server is noticed and it is reached again: $what', async ({ what, type, script }) => {
  const first = await bench.remote('a', type, script)
  const { pool, logged, status, states, reached } = bench.open(
    { mcpServers: { a: { type, url: first.url } } },
    { clock: createFastClock(10) },
  )
  pool.start()
  await pool.ready()
  expect(status('a').state).toBe('ready')
  await streamStands(what)

  const killedAt = performance.now()
  first.kill('SIGKILL')
  await reached('a', 'backoff')
  console.log(`${what}: noticed after ${(performance.now() - killedAt).toFixed(1)} ms`)
  expect(dataOf(logged('pool.restart')[0]).reason).toBe('transport-exit')

  await bench.remote('a', type, { ...script, port: Number(new URL(first.url).port) })
  await reached('a', 'ready', 2)
  expect(states('a').filter((state) => state === 'probing')).toEqual([])
  expect(logged('pool.recovered')).toHaveLength(1)
  expect(textOf(await pool.call('a_echo', { text: 'again' }))).toBe('again')
})

test('an http server that offers no stream is looked at from time to time, so that its end is noticed too', async () => {
  const script: FixtureScript = { http: { getStream: false } }
  const first = await bench.remote('a', 'http', script)
  const { pool, logged, status, reached } = bench.open(
    { mcpServers: { a: { url: first.url } } },
    { clock: createFastClock(10), timings: { idleProbeInterval: 2000 } },
  )
  pool.start()
  await pool.ready()
  await waitForJournal(bench.journal('a'), ({ message }) => message?.method === 'ping')
  first.kill('SIGKILL')
  await reached('a', 'backoff')
  expect(dataOf(logged('pool.restart')[0]).reason).toBe('transport-exit')
  await bench.remote('a', 'http', { ...script, port: Number(new URL(first.url).port) })
  await waitFor(() => status('a').state === 'ready')
  expect(logged('pool.recovered')).toHaveLength(1)
  expect(textOf(await pool.call('a_echo', { text: 'again' }))).toBe('again')
})

test('an http session that the server has forgotten is opened anew, and the call that finds out never notices', async () => {
  // Without a GET stream, which would race the call to find out.
  const remote = await bench.remote('a', 'http', { http: { getStream: false } })
  const { pool, logged, status } = bench.open({ mcpServers: { a: { url: remote.url } } })
  pool.start()
  await pool.ready()
  expect(textOf(await pool.call('a_expire_sessions'))).toBe('1')
  expect(textOf(await pool.call('a_echo', { text: 'again' }))).toBe('again')
  // It is no crash: nothing is restarted.
  expect(logged('pool.restart')).toEqual([])
  expect(logged('pool.renewed').map((entry) => dataOf(entry).reason)).toEqual(['session-lost'])
  expect(status('a').restarts).toBe(0)
  expect(await bench.received('a', 'initialize')).toHaveLength(2)
})

/** Ready means that it can be called; the stream by which its death shows is opened right after. */
async function streamStands(what: string): Promise<void> {
  if (what.startsWith('http')) await waitForJournal(bench.journal('a'), ({ event }) => event === 'get-stream')
  if (what.startsWith('modern')) {
    await waitForJournal(bench.journal('a'), ({ message }) => message?.method === 'subscriptions/listen')
  }
}
