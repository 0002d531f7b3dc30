/** Starting: once however many wait, from what is remembered where that is enough, and again when it failed. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FixtureScript, isAlive, textOf, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { createFastClock, dataOf, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const lazy = { start: 'lazy' as const }

test('50 first calls at once to a lazy server share one start', async () => {
  const { pool, states } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), ...lazy } } })
  pool.start()
  expect(await bench.entries('a', 'start')).toEqual([])
  const calls = Array.from({ length: 50 }, (_, index) => pool.call('a_echo', { text: String(index) }))
  expect((await Promise.all(calls)).map(textOf)).toEqual(Array.from({ length: 50 }, (_, index) => String(index)))
  expect(await bench.entries('a', 'start')).toHaveLength(1)
  expect(await bench.received('a', 'initialize')).toHaveLength(1)
  expect(states('a')).toEqual(['starting', 'ready'])
})

test('a server that fails its first starts is tried until it works, and those who wait never notice', async () => {
  const script = { startsFile: bench.directory.file('starts'), failFirstStarts: 3 }
  const { pool, logged } = bench.open(
    { mcpServers: { a: { ...bench.stdio('a', script), restartWait: '600s' } } },
    { clock: createFastClock(5) },
  )
  pool.start()
  expect(textOf(await pool.call('a_echo', { text: 'at last' }, { timeout: 600_000 }))).toBe('at last')
  expect(await bench.entries('a', 'start')).toHaveLength(4)
  expect(logged('pool.retry').map((entry) => dataOf(entry).nextWaitMs)).toEqual([100, 200, 400])
  expect(logged('pool.restart')).toEqual([])
  expect(logged('pool.recovered')).toHaveLength(1)
})

test('idleTimeout stops a server that nobody uses, and a later call starts it again', async () => {
  const server = { ...bench.stdio('a'), ...lazy, idleTimeout: 200 }
  const { pool, reached, logged, status } = bench.open({ mcpServers: { a: server } })
  const first = Number(textOf(await pool.call('a_pid')))
  await reached('a', 'idle')
  await waitFor(async () => !(await isAlive(first)), { what: 'the idle server to end' })
  expect(status('a').state).toBe('idle')
  expect(pool.tools().map(({ name }) => name)).toContain('a_echo')
  const second = Number(textOf(await pool.call('a_pid')))
  expect(second).not.toBe(first)
  expect(await bench.entries('a', 'start')).toHaveLength(2)
  expect(logged('pool.restart')).toEqual([])
})

test('idleTimeout does not stop a server in the middle of a call', async () => {
  const server = { ...bench.stdio('a'), ...lazy, idleTimeout: 100 }
  const { pool } = bench.open({ mcpServers: { a: server } })
  expect(textOf(await pool.call('a_slow', { ms: 500 }))).toBe('slept 500 ms')
  expect(await bench.entries('a', 'start')).toHaveLength(1)
})

describe('the era is found out without a second process', () => {
  const eras: { what: string; script: FixtureScript; era: 'legacy' | 'modern' }[] = [
    { what: 'legacy', script: {}, era: 'legacy' },
    { what: 'modern', script: { era: 'modern' }, era: 'modern' },
    { what: 'both', script: { era: 'dual' }, era: 'modern' },
    { what: 'legacy and silent', script: { on: { 'server/discover': { do: 'silent' } } }, era: 'legacy' },
  ]
  test.each(eras)('$what', async ({ script, era }) => {
    // Only silence is waited out; on a busy machine an answer may take its time.
    const timings = { eraProbeTimeout: script.on === undefined ? 30_000 : 200 }
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a', script) } }, { timings })
    pool.start()
    expect(textOf(await pool.call('a_echo', { text: 'x' }))).toBe('x')
    expect(status('a').era).toBe(era)
    expect(await bench.entries('a', 'start')).toHaveLength(1)
    expect(await bench.received('a', 'server/discover')).toHaveLength(1)
    expect(await bench.received('a', 'initialize')).toHaveLength(era === 'legacy' ? 1 : 0)
  })

  test('a server of both eras whose first answer takes longer than the probe is spoken to in the modern one', async () => {
    const script: FixtureScript = { era: 'dual', startDelayMs: 2000 }
    const { pool, status } = bench.open(
      { mcpServers: { a: bench.stdio('a', script) } },
      { timings: { eraProbeTimeout: 1000 } },
    )
    pool.start()
    expect(textOf(await pool.call('a_echo', { text: 'x' }))).toBe('x')
    // Its answer to the probe may be read a moment after the one that came behind it.
    await waitFor(() => status('a').era === 'modern', { what: 'the modern era' })
    // This one speaks both on one line.
    expect(await bench.entries('a', 'start')).toHaveLength(1)
  })

  test('a program that dies of being asked is asked the old way on its next start', async () => {
    const script: FixtureScript = { on: { 'server/discover': { do: 'exit', code: 4 } } }
    const { pool, status } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
    pool.start()
    expect(textOf(await pool.call('a_echo', { text: 'x' }))).toBe('x')
    expect(status('a').era).toBe('legacy')
    expect(await bench.received('a', 'server/discover')).toHaveLength(1)
    expect(await bench.entries('a', 'start')).toHaveLength(2)
  })
})

describe('what was learned is kept on disk', () => {
  test('a second pool lists the tools of a lazy server without starting it', async () => {
    const cacheDirectory = bench.directory.file('cache')
    const config = { mcpServers: { a: { ...bench.stdio('a', { dummyTools: 30, pageSize: 7 }), ...lazy } } }
    const first = bench.open(config, { cacheDirectory })
    await first.pool.call('a_echo', { text: 'x' })
    const listed = first.pool.tools()
    await first.pool.close()
    await waitFor(() => isRemembered(cacheDirectory))

    const second = bench.open(config, { cacheDirectory })
    second.pool.start()
    expect(second.pool.tools()).toEqual(listed.map((tool) => ({ ...tool, stale: true })))
    expect(second.status('a')).toMatchObject({ state: 'idle', stale: true, tools: listed.length })
    expect(await bench.entries('a', 'start')).toHaveLength(1)
    expect(textOf(await second.pool.call('a_dummy_0030', { query: 'x' }))).toBe('dummy_0030')
    expect(second.status('a').stale).toBe(false)
    expect(await bench.entries('a', 'start')).toHaveLength(2)
  })

  test('a silent legacy server is probed once in its life', async () => {
    const cacheDirectory = bench.directory.file('cache')
    const config = { mcpServers: { a: bench.stdio('a', { on: { 'server/discover': { do: 'silent' } } }) } }
    for (let round = 0; round < 2; round++) {
      const { pool } = bench.open(config, { cacheDirectory, timings: { eraProbeTimeout: 200 } })
      pool.start()
      await pool.ready()
      await waitFor(() => isRemembered(cacheDirectory))
      await pool.close()
    }
    expect(await bench.entries('a', 'start')).toHaveLength(2)
    expect(await bench.received('a', 'initialize')).toHaveLength(2)
    expect(await bench.received('a', 'server/discover')).toHaveLength(1)
  })

  test('a restart in the same pool does not probe again either', async () => {
    const { pool, status, reached } = bench.open(
      { mcpServers: { a: bench.stdio('a', { on: { 'server/discover': { do: 'silent' } } }) } },
      { timings: { eraProbeTimeout: 200 } },
    )
    pool.start()
    await pool.ready()
    process.kill(status('a').pid ?? 0, 'SIGKILL')
    await reached('a', 'ready', 2)
    expect(await bench.received('a', 'initialize')).toHaveLength(2)
    expect(await bench.received('a', 'server/discover')).toHaveLength(1)
  })

  test('a cache that cannot be written is as good as none', async () => {
    await writeFile(bench.directory.file('no-folder'), '')
    const cacheDirectory = bench.directory.file('no-folder', 'cache')
    const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } }, { cacheDirectory })
    pool.start()
    expect(textOf(await pool.call('a_echo', { text: 'x' }))).toBe('x')
  })
})

describe('the folder of a server', () => {
  const cwdOf = async (server: string): Promise<unknown> => (await bench.entries(server, 'start')).at(-1)?.cwd

  test('is its cwd, else one of its own below the given one, for its owner alone', async () => {
    const serversDirectory = bench.directory.file('home', 'servers')
    const mcpServers = { own: bench.stdio('own'), named: { ...bench.stdio('named'), cwd: bench.directory.path } }
    const { pool } = bench.open({ mcpServers }, { serversDirectory })
    pool.start()
    await Promise.all(['own_echo', 'named_echo'].map((tool) => pool.call(tool, { text: 'x' })))
    expect(await cwdOf('own')).toBe(join(serversDirectory, 'own'))
    expect(await cwdOf('named')).toBe(bench.directory.path)
    expect(await readdir(serversDirectory)).toEqual(['own'])
    if (process.platform === 'win32') return
    for (const folder of [serversDirectory, join(serversDirectory, 'own')]) {
      expect((await stat(folder)).mode & 0o777).toBe(0o700)
    }
  })

  test('that cannot be made is a failed attempt, and the others run', async () => {
    await writeFile(bench.directory.file('no-folder'), '')
    const mcpServers = { a: bench.stdio('a'), b: { ...bench.stdio('b'), cwd: bench.directory.path } }
    const { pool, reached, status } = bench.open(
      { mcpServers },
      { serversDirectory: bench.directory.file('no-folder') },
    )
    pool.start()
    await reached('a', 'backoff')
    expect(status('a').reason).toContain('could not start: ENOTDIR')
    expect(textOf(await pool.call('b_echo', { text: 'x' }))).toBe('x')
  })
})

test('tools that a server changes after its restart are announced and called', async () => {
  const script: FixtureScript = {
    startsFile: bench.directory.file('starts'),
    overrides: { '2': { tools: [{ name: 'fresh' }] } },
  }
  const { pool, status, events, reached } = bench.open({ mcpServers: { a: bench.stdio('a', script) } })
  pool.start()
  await pool.ready()
  const before = events.filter(({ type }) => type === 'catalog_changed').length
  process.kill(status('a').pid ?? 0, 'SIGKILL')
  await reached('a', 'backoff')
  // Down, but still listed.
  expect(pool.tools().map(({ name }) => name)).toContain('a_echo')
  expect(status('a').stale).toBe(true)
  await reached('a', 'ready', 2)
  expect(events.filter(({ type }) => type === 'catalog_changed')).toHaveLength(before + 1)
  expect(textOf(await pool.call('a_fresh'))).toBe('fresh')
})

async function isRemembered(directory: string): Promise<boolean> {
  const files = await readdir(directory).catch(() => [])
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8').catch(() => '')))
  return texts.some((text) => text.includes('"catalog"') && text.includes('"era"'))
}
