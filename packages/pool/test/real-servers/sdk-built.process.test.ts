/** Servers built on the public SDK of the modern era: modern alone, and of both eras. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { AskRequest, AskRequests, AskResponses, Progress } from '@switchboard/protocol'
import { createLeakCheck, createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { McpPool } from '../../src/mcp-pool.ts'
import { connectDirectly } from './direct-client.ts'
import type { Command } from './real-servers.ts'

const PROGRAM = fileURLToPath(new URL('./sdk-server.ts', import.meta.url))

describe.each(['modern', 'dual'] as const)('a server of the modern SDK (%s)', (eras) => {
  const leaks = createLeakCheck()
  let directory: TemporaryDirectory
  let pool: McpPool

  const command = (journal: string): Command => ({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', PROGRAM, eras, directory.file(journal)],
  })

  beforeEach(async () => {
    await leaks.begin()
    directory = await createTemporaryDirectory()
    // A busy machine may take longer to start it than the pool waits before it takes a server for a legacy one.
    pool = new McpPool({ mcpServers: { sdk: command('spawns') } }, { timings: { eraProbeTimeout: 20_000 } })
    pool.start()
    await pool.ready()
  })

  afterEach(async () => {
    await pool.close()
    await directory.remove()
    await leaks.check()
  })

  it('is spoken to in the modern era, by the one process that was started', async () => {
    expect(pool.status()).toMatchObject([
      { state: 'ready', era: 'modern', protocolVersion: '2026-07-28', restarts: 0, serverInfo: { name: 'sdk-built' } },
    ])
    const spawned = (await readFile(directory.file('spawns'), 'utf8')).trim().split('\n')
    expect(spawned).toEqual([String(pool.status()[0]?.pid)])
  })

  it('is spoken to in the modern era also where its first answer takes longer than the probe', async () => {
    const slow = new McpPool({ mcpServers: { slow: command('slow') } }, { timings: { eraProbeTimeout: 1 } })
    try {
      slow.start()
      const { content } = await slow.call('slow_weather', { city: 'Bern' })
      expect(content).toEqual([{ type: 'text', text: 'Sunny in Bern' }])
      expect(slow.status()).toMatchObject([{ state: 'ready', era: 'modern', protocolVersion: '2026-07-28' }])
    } finally {
      await slow.close()
    }
  })

  it('is spoken to in the era that the configuration asks for', async () => {
    const older = new McpPool({ mcpServers: { older: { ...command('older'), era: 'legacy' } } })
    try {
      older.start()
      await older.ready()
      const expected = eras === 'dual' ? { state: 'ready', era: 'legacy' } : { state: 'starting' }
      expect(older.status()).toMatchObject([expected])
    } finally {
      await older.close()
    }
  })

  it('has its tools listed and called', async () => {
    expect(pool.tools().map(({ name }) => name)).toEqual(['sdk_weather', 'sdk_count', 'sdk_deploy'])
    const { content } = await pool.call('sdk_weather', { city: 'Bern' })
    expect(content).toEqual([{ type: 'text', text: 'Sunny in Bern' }])
  })

  it('delivers its progress in order, before the result', async () => {
    const seen: (Progress | 'result')[] = []
    await pool.call('sdk_count', {}, { onProgress: (progress) => seen.push(progress) })
    seen.push('result')
    expect(seen).toMatchObject([
      { progress: 1, total: 3, message: 'step 1' },
      { progress: 2, total: 3, message: 'step 2' },
      { progress: 3, total: 3, message: 'step 3' },
      'result',
    ])
  })

  it('asks with input_required, and goes on with the answer and its own state', async () => {
    const asked: AskRequest[] = []
    const ask = async (requests: AskRequests): Promise<AskResponses> => {
      asked.push(...Object.values(requests))
      return { confirm: { action: 'accept', content: { sure: true } } }
    }
    const { content } = await pool.call('sdk_deploy', {}, { ask })
    expect(content).toEqual([{ type: 'text', text: 'deployed after round-one' }])
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Deploy now?' } }])
  })

  it(`${eras === 'dual' ? 'gives a direct legacy client the same result' : 'refuses a direct legacy client'}`, async () => {
    const connecting = connectDirectly(command('direct'))
    if (eras === 'modern') {
      await expect(connecting).rejects.toThrow(/protocol version/i)
      return
    }
    const direct = await connecting
    try {
      const expected = await direct.callTool({ name: 'weather', arguments: { city: 'Bern' } })
      const { content } = await pool.call('sdk_weather', { city: 'Bern' })
      expect(content).toEqual(expected.content)
    } finally {
      await direct.close()
    }
  })
})
