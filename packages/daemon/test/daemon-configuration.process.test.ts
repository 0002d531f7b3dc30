/** A configuration that changes under a running daemon. */
import { rm, writeFile } from 'node:fs/promises'
import type { DaemonEvent } from '@switchboard/daemon/client'
import { readErrorEnvelope } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { attachAgent, codeOf, connectTo, openDaemon, pathsOf, textOf } from './helpers/daemon-bench.ts'
import { useWorkbench } from './helpers/workbench.ts'

describe('the configuration of a running daemon', () => {
  const bench = useWorkbench()

  async function listen(): Promise<DaemonEvent[]> {
    const client = await connectTo(bench)
    const events: DaemonEvent[] = []
    client.onEvent((event) => events.push(event))
    await client.subscribe()
    return events
  }

  it('is applied as it is saved: only what changed is touched', async () => {
    const one = bench.fixture('one')
    const { daemon } = await openDaemon(bench, { mcpServers: { one } })
    await daemon.switchboard.pool.ready()
    const events = await listen()
    const agent = await attachAgent(bench)
    const pid = daemon.status().servers[0]?.pid
    await bench.writeConfig({ mcpServers: { one, two: bench.fixture('two') } })
    const applied = await waitFor(() => events.find(({ type }) => type === 'configuration_applied'))
    expect(applied).toMatchObject({
      change: { added: ['two'], removed: [], changed: [], sections: [] },
      needs_restart: false,
    })
    await waitFor(() => daemon.status().servers.every(({ state }) => state === 'ready'))
    expect(textOf(await agent.call('two_echo', { text: 'new' }))).toBe('new')
    expect(daemon.status().servers[0]?.pid).toBe(pid)
  })

  it('of which only other parts than the servers change says which; one that says the same says so', async () => {
    const mcpServers = { one: bench.fixture('one') }
    const { daemon } = await openDaemon(bench, { mcpServers })
    await daemon.switchboard.pool.ready()
    const events = await listen()
    const agent = await attachAgent(bench)
    const profiles = { default: { tools: { allow: ['one_add'] } } }
    await bench.writeConfig({ mcpServers, profiles, gateway: { maxInFlight: 7 } })
    const applied = await waitFor(() => events.find(({ type }) => type === 'configuration_applied'))
    expect(applied).toMatchObject({
      change: { added: [], removed: [], changed: [], sections: ['gateway', 'profiles'] },
      needs_restart: false,
    })
    expect(codeOf(await agent.call('one_echo', { text: 'x' }))).toBe('profile_denied')
    await bench.writeConfig({ gateway: { maxInFlight: 7 }, profiles, mcpServers })
    await waitFor(() => events.some(({ type }) => type === 'configuration_unchanged'))
  })

  it('is refused when it is wrong: the old one goes on, and it is told where the mistake is', async () => {
    const one = bench.fixture('one')
    const { daemon, log } = await openDaemon(bench, { mcpServers: { one } })
    await daemon.switchboard.pool.ready()
    const events = await listen()
    const agent = await attachAgent(bench)
    await writeFile(pathsOf(bench).configFile, '{ "mcpServers": { "one": { "comand": "x" } } }')
    const refused = await waitFor(() => events.find((event) => event.type === 'configuration_refused'))
    expect(readErrorEnvelope(refused.error)).toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('comand'),
    })
    expect(daemon.status().configuration).toMatchObject({
      state: 'refused',
      error: { code: 'invalid_configuration', message: expect.stringMatching(/config\.json:1:\d+/) },
    })
    expect(log.entries.some(({ msg }) => msg.includes('the old one goes on'))).toBe(true)
    expect(textOf(await agent.call('one_echo', { text: 'still here' }))).toBe('still here')
    await bench.writeConfig({ mcpServers: { one } })
    await waitFor(() => daemon.status().configuration.state === 'ok')
  })

  it('that vanishes stops nothing', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { one: bench.fixture('one') } })
    await daemon.switchboard.pool.ready()
    await rm(pathsOf(bench).configFile)
    await waitFor(() => daemon.status().configuration.state === 'refused')
    expect(daemon.status().servers).toMatchObject([{ name: 'one', state: 'ready' }])
  })

  it('that asks for TCP says that this holds from the next start', async () => {
    const { daemon } = await openDaemon(bench)
    const events = await listen()
    await bench.writeConfig({ daemon: { tcp: { port: 0 } } })
    const applied = await waitFor(() => events.find(({ type }) => type === 'configuration_applied'))
    expect(applied).toMatchObject({ needs_restart: true })
    expect(daemon.status().daemon.tcp).toBeNull()
  })
})
