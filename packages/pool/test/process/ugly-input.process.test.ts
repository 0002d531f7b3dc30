/** What servers write that they should not: nothing of it disturbs a call, and none of it stays in our memory. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { silentLogger } from '@switchboard/telemetry'
import { catchRejection, textOf, waitFor, waitForJournal } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { ServerInput } from '../../src/index.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const MEGABYTE = 1_000_000

describe('stderr', () => {
  test('10 MB as fast as possible: calls keep answering, and the last 200 lines are kept', async () => {
    const mcpServers = { loud: bench.stdio('loud'), calm: bench.stdio('calm') }
    const { pool, status } = bench.open({ mcpServers }, { openServerLog: () => silentLogger })
    pool.start()
    await pool.ready()
    const begun = performance.now()
    const flood = pool.call('loud_stderr', { bytes: 10 * MEGABYTE, line: 'a line of the flood' })
    const meanwhile = Array.from({ length: 50 }, (_, index) =>
      pool.call(index % 2 === 0 ? 'loud_echo' : 'calm_echo', { text: String(index) }),
    )
    expect((await Promise.all(meanwhile)).map(textOf)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)))
    expect(textOf(await flood)).toBe(`wrote ${10 * MEGABYTE} bytes`)
    console.log(`10 MB of stderr with 50 calls: ${(performance.now() - begun).toFixed(0)} ms`)
    await pool.call('loud_stderr', { bytes: 1, line: 'the last words' })
    await waitFor(() => status('loud').lastStderr.at(-1) === 'the last words')
    const { lastStderr } = status('loud')
    expect(lastStderr).toHaveLength(200)
    expect(lastStderr.slice(0, -1).every((line) => line === 'a line of the flood')).toBe(true)
    expect(status('loud').restarts).toBe(0)
  })

  test('10 MB before the first message do not keep a server from starting', async () => {
    const { pool, status } = bench.open(
      { mcpServers: { a: bench.stdio('a', { stderrAtStart: 10 * MEGABYTE }) } },
      { openServerLog: () => silentLogger },
    )
    pool.start()
    expect(textOf(await pool.call('a_echo', { text: 'up' }))).toBe('up')
    expect(status('a').lastStderr).toHaveLength(200)
    expect(await bench.entries('a', 'start')).toHaveLength(1)
  })
})

describe('memory', () => {
  test('200 MB of lines on stdout that are not the protocol: every call is answered and nothing is kept', async () => {
    const round = { tool: 'a_garbage', args: { bytes: 20 * MEGABYTE, shape: 'lines' } }
    const { outcomes, growth, peak, strayOutput, last } = await measure(bench.stdio('a'), Array(10).fill(round))
    console.log(`200 MB of garbage: +${mb(growth)} MB after, +${mb(peak)} MB at the peak, ${strayOutput} stray lines`)
    expect(outcomes).toEqual(Array(10).fill('ok'))
    expect(strayOutput).toBeGreaterThan(3_000_000)
    expect(textOf(last)).toBe('still answered')
    expect(growth).toBeLessThan(150 * MEGABYTE)
  })

  test('a line of 300 MB that never ends fails the one call it swallows, and memory stays bounded', async () => {
    const round = { tool: 'a_garbage', args: { bytes: 300 * MEGABYTE, shape: 'no-end' } }
    const { outcomes, growth, peak, last } = await measure(bench.stdio('a'), [round])
    console.log(`a line of 300 MB: +${mb(growth)} MB after, +${mb(peak)} MB at the peak`)
    expect(outcomes).toEqual(['message_too_large'])
    expect(textOf(last)).toBe('still answered')
    expect(growth).toBeLessThan(150 * MEGABYTE)
    expect(peak).toBeLessThan(250 * MEGABYTE)
  })
})

describe('large results', () => {
  test('60 MB arrive whole', async () => {
    const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    const bytes = 60 * MEGABYTE
    const text = textOf(await pool.call('a_big', { bytes }))
    expect(text).toHaveLength(bytes)
    expect(digest(text)).toBe(digest('x'.repeat(bytes)))
  })

  test.each([
    { where: 'first', idFirst: true },
    { where: 'last', idFirst: false },
  ])('one over the limit with its id $where fails that call alone, and the next one works', async ({ idFirst }) => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a') } }, { maxMessageBytes: 200_000 })
    pool.start()
    await pool.ready()
    const hanging = new AbortController()
    const other = catchRejection(pool.call('a_hang', {}, { signal: hanging.signal }))
    await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'hang')
    const failure = await catchRejection(pool.call('a_big', { bytes: 400_000, idFirst }))
    expect(failure).toMatchObject({ code: 'message_too_large', executed: true })
    expect(failure.details.bytes).toBeGreaterThan(400_000)
    expect(textOf(await pool.call('a_big', { bytes: 100_000 }))).toHaveLength(100_000)
    expect(status('a')).toMatchObject({ state: 'ready', inFlight: 1, restarts: 0, counters: { oversized: 1 } })
    hanging.abort()
    expect((await other).code).toBe('cancelled')
  })

  test.each([
    { over: 'legacy http', script: {} },
    { over: 'modern http', script: { era: 'modern' as const } },
  ])('one over the limit fails that call alone over $over', async ({ script }) => {
    const remote = await bench.remote('a', 'http', script)
    const { pool, status } = bench.open({ mcpServers: { a: { url: remote.url } } }, { maxMessageBytes: 200_000 })
    pool.start()
    await pool.ready()
    expect((await catchRejection(pool.call('a_big', { bytes: 400_000 }))).code).toBe('message_too_large')
    expect(textOf(await pool.call('a_big', { bytes: 100_000 }))).toHaveLength(100_000)
    expect(status('a')).toMatchObject({ state: 'ready', restarts: 0 })
  })
})

describe('broken messages', () => {
  test('lines of invalid UTF-8 are output of the server, and an answer that holds some still arrives', async () => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    await pool.ready()
    expect(textOf(await pool.call('a_garbage', { bytes: 8000, shape: 'invalid-utf8' }))).toContain('wrote 8000')
    expect(textOf(await pool.call('a_bad_utf8'))).toMatch(/^before\uFFFD+after$/)
    expect(status('a').counters?.strayOutput).toBeGreaterThanOrEqual(100)
    expect(status('a').restarts).toBe(0)
  })

  test('garbage before the first message does not disturb the handshake, and is in the log as the server’s output', async () => {
    const { pool, logged } = bench.open({
      mcpServers: { a: bench.stdio('a', { stdoutAtStart: { bytes: 1000, shape: 'lines' } }) },
    })
    pool.start()
    expect(textOf(await pool.call('a_echo', { text: 'up' }))).toBe('up')
    expect(logged('server.stdout')[0]?.msg).toBe('this line is not JSON, it is what a careless server prints')
    expect(await bench.entries('a', 'start')).toHaveLength(1)
  })

  test('an answer that comes three times settles its call once and is counted', async () => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    await pool.ready()
    expect(textOf(await pool.call('a_duplicate', { copies: 3 }))).toBe('again')
    expect(textOf(await pool.call('a_echo', { text: 'next' }))).toBe('next')
    expect(status('a').counters).toMatchObject({ droppedReplies: 2 })
  })

  test('answers to nobody are dropped and counted', async () => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    await pool.ready()
    expect(textOf(await pool.call('a_stray'))).toBe('mine')
    expect(status('a').counters).toMatchObject({ droppedReplies: 2 })
  })

  test.each([
    { how: 'cut into pieces of 7 bytes', write: { chunkBytes: 7 } },
    { how: 'joined into one write', write: { joinMs: 20 } },
  ])('messages $how arrive as they were meant', async ({ write }) => {
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a', { write, builtInTools: true }) } })
    pool.start()
    await pool.ready()
    const texts = Array.from({ length: 20 }, (_, index) => `${index} – ünïcödé 🎉`)
    const results = await Promise.all(texts.map((text) => pool.call('a_echo', { text })))
    expect(results.map(textOf)).toEqual(texts)
    expect(status('a').counters).toMatchObject({ strayOutput: 0, droppedReplies: 0 })
  })

  test('members and content types that no revision names are passed on unchanged', async () => {
    const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    expect(await pool.call('a_strange')).toMatchObject({
      content: [{ 'x-block': 1 }, { type: 'hologram', frames: [1, 2, 3], nested: { deep: null } }],
      _meta: { 'vendor.example/trace': { span: 7 } },
      'x-unknown': { kept: true },
    })
  })
})

interface Measured {
  readonly growth: number
  readonly peak: number
  readonly outcomes: string[]
  readonly last: { content: unknown[] }
  readonly strayOutput: number
}

/** Runs the pool in a process of its own: the memory of a test runner says nothing. */
async function measure(server: ServerInput, rounds: readonly unknown[]): Promise<Measured> {
  const driver = fileURLToPath(new URL('./drivers/memory-driver.ts', import.meta.url))
  const plan = JSON.stringify({ config: { mcpServers: { a: server } }, rounds })
  const args = ['--expose-gc', '--conditions=switchboard-source', '--disable-warning=ExperimentalWarning', driver, plan]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  // The one line that the driver writes.
  return JSON.parse(stdout) as Measured
}

function mb(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
