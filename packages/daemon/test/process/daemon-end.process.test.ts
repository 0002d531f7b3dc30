/** How a daemon ends: what is under way is finished or failed with the right code, and nothing is left. */

import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { STOPPING_METHOD } from '@switchboard/protocol/ipc'
import { expectNoProcessLeft, textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectAgent } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import {
  attachAgent,
  attachParams,
  codeOf,
  connectTo,
  openDaemon,
  pathsOf,
  spawnDaemon,
  startedDaemon,
} from '../helpers/daemon-bench.ts'
import { isCallOf, watchJournal } from '../helpers/journal.ts'
import { useWorkbench } from '../helpers/workbench.ts'

describe('a call under way when the daemon stops', () => {
  const bench = useWorkbench()

  it('is drained, while new ones are refused with shutting_down', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { fx: bench.fixture('fx') } })
    await daemon.switchboard.pool.ready()
    const journal = await watchJournal(bench.journal('fx'))
    const agent = await attachAgent(bench)
    const late = await connectTo(bench)
    const call = agent.call('fx_slow', { ms: 1_000, steps: 1 })
    await journal.waitFor(isCallOf('slow'))
    const client = await connectTo(bench)
    expect(await client.request('shutdown', { drain_ms: 60_000 })).toEqual({ acknowledged: true, graceful: true })
    await waitFor(() => daemon.state === 'stopping')
    expect(codeOf(await agent.call('fx_echo', { text: 'late' }))).toBe('shutting_down')
    await expect(late.attach(attachParams())).rejects.toMatchObject({ code: 'shutting_down' })
    expect(await late.request('health')).toMatchObject({ ok: false, state: 'stopping' })
    expect(textOfAnswer(await call)).toBe('slept 1000 ms')
    await agent.ended
    expect(await daemon.ended).toBe('asked to stop')
    // Told before anything else, so that a front knows an orderly stop from a crash.
    const methods = agent.received.map(({ method }) => method).filter((method) => method !== undefined)
    expect(methods).toContain(STOPPING_METHOD)
    await expectNoProcessLeft(bench.marker)
  })

  it('that takes too long is failed with shutting_down and cancelled on its server', async () => {
    const { daemon } = await openDaemon(bench, {
      mcpServers: { fx: bench.fixture('fx') },
      daemon: { drain: '100ms' },
    })
    await daemon.switchboard.pool.ready()
    const journal = await watchJournal(bench.journal('fx'))
    const agents = await Promise.all([attachAgent(bench), attachAgent(bench)])
    const http = await connectAgent('modern', `${daemon.switchboard.url}/mcp`)
    const calls = [...agents.map((agent) => agent.call('fx_hang')), http.call('fx_hang').then(({ message }) => message)]
    await waitFor(async () => (await journal.entries()).filter(isCallOf('hang')).length === 3)
    const closing = daemon.close()
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['shutting_down', 'shutting_down', 'shutting_down'])
    await closing
    expect((await journal.entries()).filter(({ event }) => event === 'cancelled')).toHaveLength(3)
    expect((await readdir(pathsOf(bench).run)).sort()).toEqual(['daemon.lock', 'epoch.db'])
  })

  it('is not waited for when the stop is not graceful', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { fx: bench.fixture('fx') }, daemon: { drain: '1h' } })
    await daemon.switchboard.pool.ready()
    const journal = await watchJournal(bench.journal('fx'))
    const agent = await attachAgent(bench)
    const call = agent.call('fx_hang').then(codeOf, () => 'cut off')
    await journal.waitFor(isCallOf('hang'))
    const client = await connectTo(bench)
    expect(await client.request('shutdown', { graceful: false })).toEqual({ acknowledged: true, graceful: false })
    await daemon.ended
    expect(['shutting_down', 'cut off']).toContain(await call)
  })

  it('is not waited for any longer at a second signal', async () => {
    await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') }, daemon: { drain: '1h' } })
    const program = spawnDaemon(bench)
    await startedDaemon(program)
    const agent = await attachAgent(bench)
    const call = agent.call('fx_hang').then(codeOf, () => 'cut off')
    const journal = await watchJournal(bench.journal('fx'))
    await journal.waitFor(isCallOf('hang'))
    program.child.kill('SIGTERM')
    await waitFor(() => agent.received.some(({ method }) => method === STOPPING_METHOD))
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect(['shutting_down', 'cut off']).toContain(await call)
  })
})

describe('a daemon', () => {
  const bench = useWorkbench()

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends in good order at %s', async (signal) => {
    await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
    const program = spawnDaemon(bench)
    await startedDaemon(program)
    const agent = await attachAgent(bench)
    program.child.kill(signal)
    expect(await program.ended).toBe(0)
    await agent.ended
    expect(program.err()).toBe('')
    expect((await readdir(pathsOf(bench).run)).sort()).toEqual(['daemon.lock', 'epoch.db'])
  })

  it('that is killed takes its servers with it', async () => {
    await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
    const program = spawnDaemon(bench)
    await startedDaemon(program)
    const agent = await attachAgent(bench)
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'up' }))).toBe('up')
    program.child.kill('SIGKILL')
    await agent.ended
    await expectNoProcessLeft(bench.marker, 30_000)
  })

  it('goes on when whoever started it no longer reads what it says', async () => {
    const program = spawnDaemon(bench)
    const { pid } = await startedDaemon(program)
    program.child.stdout.destroy()
    program.child.stderr.destroy()
    expect(await (await connectTo(bench)).request('health')).toMatchObject({ ok: true, pid })
    await (await connectTo(bench)).request('shutdown')
    await once(program.child, 'exit')
    expect(program.child.exitCode).toBe(0)
  })

  it('ends by itself when nobody has used it for the time that is set, and not while somebody is attached', async () => {
    const { daemon } = await openDaemon(bench)
    const agent = await attachAgent(bench)
    await bench.writeConfig({ daemon: { idleTimeout: '1ms' } })
    await waitFor(() => daemon.config.daemon.idleTimeout === 1)
    // Answered after the time was over many times: attached is used, however little it says.
    for (let count = 0; count < 20; count++) expect(await agent.request('ping')).toMatchObject({ result: {} })
    expect(daemon.state).toBe('running')
    agent.close()
    expect(await daemon.ended).toBe('nobody used it')
  })

  it('is not stopped for being unused unless that is asked for, also while it runs', async () => {
    const { daemon } = await openDaemon(bench)
    expect(daemon.config.daemon.idleTimeout).toBeUndefined()
    await bench.writeConfig({ daemon: { idleTimeout: '100ms' } })
    expect(await daemon.ended).toBe('nobody used it')
  })

  it('runs and serves fronts when the HTTP port is taken, and says how to cure that', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    bench.defer(() => other.close())
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { daemon, log } = await openDaemon(
      bench,
      { mcpServers: { fx: bench.fixture('fx') } },
      { env: { ...process.env, SWITCHBOARD_HTTP_PORT: String(port) } },
    )
    expect(daemon.status().daemon.http).toMatchObject({
      error: expect.stringContaining(`port ${port}`),
      hint: expect.stringContaining('SWITCHBOARD_HTTP_PORT'),
    })
    expect(log.entries.some(({ msg }) => msg.includes(`port ${port}`))).toBe(true)
    const agent = await attachAgent(bench)
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'served' }))).toBe('served')
  })

  it('can be closed twice, and while it closes', async () => {
    const { daemon } = await openDaemon(bench)
    await Promise.all([daemon.close(), daemon.close({ force: true })])
    await daemon.close()
    expect(await daemon.ended).toBe('closed')
  })
})
