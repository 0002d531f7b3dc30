/** A configuration that changes under a running daemon. */

import { rm, writeFile } from 'node:fs/promises'
import type { DaemonEvent } from '@switchboard/daemon/client'
import { readErrorEnvelope } from '@switchboard/protocol/errors'
import { textOfAnswer, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { attachAgent, codeOf, connectTo, openDaemon, pathsOf } from '../helpers/daemon-bench.ts'
import { useWorkbench } from '../helpers/workbench.ts'

/** A variable, as it is written. */
const NOT_SET = '$' + '{SWITCHBOARD_TEST_NOT_SET}'

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
    expect(textOfAnswer(await agent.call('two_echo', { text: 'new' }))).toBe('new')
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
    await writeFile(pathsOf(bench).configFile, '{ "mcpServers": {}, "gatewy": {} }')
    const refused = await waitFor(() => events.find((event) => event.type === 'configuration_refused'))
    expect(readErrorEnvelope(refused.error)).toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining('gatewy'),
    })
    expect(daemon.status().configuration).toMatchObject({
      state: 'refused',
      error: { code: 'invalid_configuration', message: expect.stringMatching(/config\.json:1:\d+/) },
    })
    expect(log.entries.some(({ msg }) => msg.includes('the old one goes on'))).toBe(true)
    expect(textOfAnswer(await agent.call('one_echo', { text: 'still here' }))).toBe('still here')
    await bench.writeConfig({ mcpServers: { one } })
    await waitFor(() => daemon.status().configuration.state === 'ok')
  })

  it('with a wrong entry at its start is that server’s state, with the variable’s name: the others run', async () => {
    const wrong = { ...bench.fixture('wrong'), env: { T: NOT_SET } }
    const { daemon } = await openDaemon(bench, { mcpServers: { wrong, one: bench.fixture('one') } })
    await daemon.switchboard.pool.ready()
    const reason = expect.stringContaining('the variable SWITCHBOARD_TEST_NOT_SET is not set')
    expect(daemon.status().servers).toMatchObject([
      { name: 'one', state: 'ready' },
      { name: 'wrong', state: 'misconfigured', reason },
    ])
    expect(daemon.status().configuration.state).toBe('ok')
    const agent = await attachAgent(bench)
    expect(textOfAnswer(await agent.call('one_echo', { text: 'here' }))).toBe('here')
    const answer = JSON.stringify(await agent.call('wrong_echo', { text: 'x' }))
    expect(answer).toMatch(/it is misconfigured: config\.json:.+SWITCHBOARD_TEST_NOT_SET is not set/)
    expect(answer).not.toContain(bench.home.path)
    expect(textOfAnswer(await agent.call('switchboard_status'))).toContain('SWITCHBOARD_TEST_NOT_SET is not set')
  })

  it('whose one entry goes wrong leaves that server as it was, tells of it, and applies the others', async () => {
    const one = bench.fixture('one')
    const { daemon } = await openDaemon(bench, { mcpServers: { one } })
    await daemon.switchboard.pool.ready()
    const [pid] = daemon.status().servers.map((server) => server.pid)
    const events = await listen()
    const client = await connectTo(bench)
    const wrong = { ...one, timout: 1 }
    await bench.writeConfig({ mcpServers: { one: wrong, two: bench.fixture('two') } })
    expect(await client.request('apply_configuration', {}, { timeout: 60_000 })).toEqual({
      configuration: { state: 'ok' },
      needs_restart: false,
    })
    expect(events.find(({ type }) => type === 'configuration_applied')).toMatchObject({
      change: { added: ['two'], removed: [], changed: [], misconfigured: ['one'] },
    })
    await waitFor(() => daemon.status().servers.every(({ state }) => state === 'ready'), { timeout: 60_000 })
    expect(daemon.status().servers).toMatchObject([
      { name: 'one', pid, entryProblem: expect.stringContaining('Did you mean "timeout"?') },
      { name: 'two' },
    ])
    await bench.writeConfig({ mcpServers: { one, two: bench.fixture('two') } })
    await client.request('apply_configuration', {}, { timeout: 60_000 })
    expect(daemon.status().servers[0]).toMatchObject({ name: 'one', pid })
    expect(daemon.status().servers[0]).not.toHaveProperty('entryProblem')
  })

  it('that is refused is told to whoever asks for a verdict', async () => {
    await openDaemon(bench)
    const client = await connectTo(bench)
    await writeFile(pathsOf(bench).configFile, '{ "gatewy": {} }')
    expect(await client.request('apply_configuration', {}, { timeout: 60_000 })).toMatchObject({
      configuration: { state: 'refused', error: { message: expect.stringContaining('Did you mean "gateway"?') } },
    })
  })

  it('that names nobody in a profile is applied, and says so', async () => {
    const profiles = { x: { providers: ['oen'], search: true, pinned: ['one_ecko', 'one_echo'] } }
    const { daemon } = await openDaemon(bench, { mcpServers: { one: bench.fixture('one') }, profiles })
    await daemon.switchboard.pool.ready()
    expect(daemon.status().configuration).toEqual({
      state: 'ok',
      doubts: [
        'profiles.x.providers: no server or pack is named "oen". Did you mean "one"?',
        'profiles.x.pinned: no tool is named "one_ecko". Did you mean "one_echo"?',
      ],
    })
  })

  it('with a lazy server that was never seen lists its tools to agents, and lets it rest until one is called', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { slow: bench.fixture('slow', {}, { start: 'lazy' }) } })
    const agent = await attachAgent(bench)
    const names = async (): Promise<unknown> => JSON.stringify(await agent.request('tools/list'))
    await waitFor(async () => String(await names()).includes('"slow_echo"'), { timeout: 60_000 })
    await waitFor(() => daemon.status().servers[0]?.state === 'idle', { timeout: 60_000 })
    expect(await names()).toContain('"slow_echo"')
    expect(textOfAnswer(await agent.call('slow_echo', { text: 'awake' }))).toBe('awake')
  })

  it('that vanishes stops nothing', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { one: bench.fixture('one') } })
    await daemon.switchboard.pool.ready()
    await rm(pathsOf(bench).configFile)
    await waitFor(() => daemon.status().configuration.state === 'refused')
    expect(daemon.status().servers).toMatchObject([{ name: 'one', state: 'ready' }])
  })

  it('that names another store says that this holds from the next start', async () => {
    const { daemon } = await openDaemon(bench)
    const events = await listen()
    await bench.writeConfig({ daemon: { store: 'postgres://ada:hunter2@127.0.0.1:1/memory' } })
    const applied = await waitFor(() => events.find(({ type }) => type === 'configuration_applied'))
    expect(applied).toMatchObject({ change: { sections: ['daemon'] }, needs_restart: true })
    expect(JSON.stringify(applied)).not.toContain('hunter2')
    expect(await daemon.switchboard.describeStore()).toMatchObject({ engine: 'sqlite' })
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
