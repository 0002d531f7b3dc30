/** The reference memory server: what it has written outlives its process, and the pool brings the process back. */
import { readFile } from 'node:fs/promises'
import { createMemoryLogger } from '@switchboard/telemetry'
import { createLeakCheck, createTemporaryDirectory, isAlive, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { McpPool } from '../../src/mcp-pool.ts'
import { memoryCommand } from './real-servers.ts'

const leaks = createLeakCheck()
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

const ADA = { name: 'Ada', entityType: 'person', observations: ['writes programs'] }

it('is restarted after kill -9, and its data is still there', async () => {
  await using directory = await createTemporaryDirectory()
  const file = directory.file('memory.jsonl')
  const log = createMemoryLogger()
  await using pool = new McpPool({ mcpServers: { memory: memoryCommand(file) } }, { log })
  pool.start()
  await pool.ready()
  const created = await pool.call('memory_create_entities', { entities: [ADA] })
  expect(created.structuredContent).toEqual({ entities: [ADA] })

  const first = pool.status()[0]?.pid
  if (first === undefined) throw new Error('The server has no process')
  process.kill(first, 'SIGKILL')
  await waitFor(() => pool.status()[0]?.restarts === 1 && pool.status()[0]?.state === 'ready')

  expect(pool.status()[0]?.pid).not.toBe(first)
  expect(await isAlive(first)).toBe(false)
  expect(await readFile(file, 'utf8')).toContain('"Ada"')
  const graph = await pool.call('memory_read_graph')
  expect(graph.structuredContent).toEqual({ entities: [ADA], relations: [] })
  expect(log.entries).toContainEqual(expect.objectContaining({ cat: 'pool.restart', level: 'error' }))
  expect(log.entries).toContainEqual(expect.objectContaining({ cat: 'pool.recovered', level: 'info' }))
})

it('answers a call that comes while it is being restarted, without the caller noticing', async () => {
  await using directory = await createTemporaryDirectory()
  await using pool = new McpPool({ mcpServers: { memory: memoryCommand(directory.file('memory.jsonl')) } })
  pool.start()
  await pool.ready()
  await pool.call('memory_create_entities', { entities: [ADA] })
  const down = Promise.withResolvers<void>()
  pool.onDidChange((event) => {
    if (event.type === 'state_changed' && event.state === 'backoff') down.resolve()
  })
  process.kill(pool.status()[0]?.pid ?? Number.NaN, 'SIGKILL')
  await down.promise
  expect(pool.tools().every(({ stale }) => stale)).toBe(true)
  const found = await pool.call('memory_search_nodes', { query: 'programs' })
  expect(found.structuredContent).toMatchObject({ entities: [ADA] })
})
