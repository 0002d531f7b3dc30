/** A connection becomes the line of one instance: who is let in, what holds for it, and what is left when it ends. */

import { connect } from 'node:net'
import type { IpcClient } from '@switchboard/daemon/client'
import { createInstanceId, type JsonObject } from '@switchboard/protocol'
import { META_KEY } from '@switchboard/protocol/modern'
import { isAlive, textOfAnswer, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { attachAgent, attachParams, codeOf, connectTo, makeTree, openDaemon, VERSION } from '../helpers/daemon-bench.ts'
import { isCallOf, watchJournal } from '../helpers/journal.ts'
import { useWorkbench, WITH_LENS } from '../helpers/workbench.ts'

describe('an instance', () => {
  const bench = useWorkbench()

  it.each([undefined, '', 'default', 'TT79-6f854d', 'tt79-6f854', 'tt79-6f854d ', 42, null])(
    'with the id %j is refused, and the connection can be used on',
    async (instance) => {
      const { daemon } = await openDaemon(bench)
      const client = await connectTo(bench)
      const params = { ...attachParams(), instance } as unknown as ReturnType<typeof attachParams>
      await expect(client.attach(params)).rejects.toMatchObject({
        code: 'invalid_arguments',
        message: expect.stringContaining('instance'),
      })
      expect(daemon.control.registry.size).toBe(0)
      expect(await client.request('health')).toMatchObject({ ok: true })
    },
  )

  it('of another protocol is refused with both versions', async () => {
    await openDaemon(bench)
    await expect((await connectTo(bench)).attach(attachParams({ protocol: 99 }))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/version 1 .* 99/),
    })
  })

  it('with an unknown profile is refused with the known ones', async () => {
    await openDaemon(bench, { profiles: { small: {}, large: {} } })
    await expect((await connectTo(bench)).attach(attachParams({ profile: 'smal' }))).rejects.toMatchObject({
      code: 'unknown_profile',
      message: expect.stringMatching(/"smal".*default.*small.*large/),
    })
  })

  it('is refused on a connection that has other things under way', async () => {
    await openDaemon(bench, WITH_LENS)
    const subscribed = await connectTo(bench)
    await subscribed.subscribe()
    await expect(subscribed.attach(attachParams())).rejects.toMatchObject({ code: 'invalid_request' })
    const waiting = await connectTo(bench)
    await waiting.request('enqueue_scan', { root: await makeTree(bench, 200) })
    const idle = waiting.request('await_idle', { timeout_ms: 20_000 })
    await expect(waiting.attach(attachParams())).rejects.toMatchObject({ code: 'invalid_request' })
    expect(await idle).toMatchObject({ idle: true })
  })

  it('loses no byte that came together with its request', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { fx: bench.fixture('fx') } })
    await daemon.switchboard.pool.ready()
    const socket = connect({ path: daemon.info.endpoint })
    bench.defer(() => socket.destroy())
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    const _meta = {
      [META_KEY.protocolVersion]: '2026-07-28',
      [META_KEY.clientCapabilities]: {},
      [META_KEY.clientInfo]: { name: 'eager', version: '1' },
    }
    const call = { name: 'fx_echo', arguments: { text: 'x'.repeat(100_000) }, _meta }
    const lines = [
      { jsonrpc: '2.0', id: 'a', method: 'attach', params: attachParams() },
      { jsonrpc: '2.0', id: 'b', method: 'tools/call', params: call },
      { jsonrpc: '2.0', id: 'c', method: 'tools/list', params: { _meta } },
    ]
    socket.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const answers = await waitFor(() => {
      const complete = text.split('\n').slice(0, -1)
      return complete.length === 3 && complete.map((line): JsonObject => JSON.parse(line))
    })
    expect(answers.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c'])
    expect(answers[0]).toMatchObject({ id: 'a', result: { protocol: 1, pid: process.pid, version: VERSION } })
    expect(textOfAnswer(answers.find(({ id }) => id === 'b') ?? {})).toHaveLength(100_000)
    expect(daemon.status().instances).toMatchObject([{ client: { name: 'eager' }, calls: 1, in_flight: 0 }])
  })

  it('is listed with its client, its calls and what is under way', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { fx: bench.fixture('fx') } })
    await daemon.switchboard.pool.ready()
    const agent = await attachAgent(bench, { workspace: bench.home.path, pid: 4711 })
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'hi' }))).toBe('hi')
    const hanging = agent.call('fx_hang')
    hanging.catch(() => {})
    await waitFor(() => daemon.control.registry.inFlight === 1)
    expect(daemon.status().instances).toEqual([
      {
        instance: agent.instance,
        role: 'front',
        pid: 4711,
        client: { name: 'attached-agent', version: '1.2.3' },
        version: VERSION,
        profile: 'default',
        workspace: bench.home.path,
        attached_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        in_flight: 1,
        calls: 2,
      },
    ])
  })

  it('has its budget for servers that set none, and theirs for those that do', async () => {
    const { daemon } = await openDaemon(bench, {
      mcpServers: {
        plain: bench.fixture('plain'),
        patient: bench.fixture('patient', {}, { timeout: '50s' }),
        tool: bench.fixture('tool', {}, { toolTimeouts: { slow: '40s' } }),
      },
    })
    await daemon.switchboard.pool.ready()
    const agent = await attachAgent(bench, { timeout: 300 })
    const args = { ms: 1_000, steps: 1 }
    const [plain, patient, tool] = await Promise.all([
      agent.call('plain_hang'),
      agent.call('patient_slow', args),
      agent.call('tool_slow', args),
    ])
    expect(codeOf(plain)).toBe('timeout')
    expect([patient, tool].map(textOfAnswer)).toEqual(['slept 1000 ms', 'slept 1000 ms'])
  })

  it('that goes away has its calls cancelled and its private servers stopped', async () => {
    const { daemon } = await openDaemon(bench, {
      mcpServers: { fx: bench.fixture('fx'), own: bench.fixture('own', {}, { shared: false }) },
    })
    await daemon.switchboard.pool.ready()
    const journal = await watchJournal(bench.journal('fx'))
    const agent = await attachAgent(bench)
    expect(textOfAnswer(await agent.call('own_echo', { text: 'mine' }))).toBe('mine')
    agent.call('fx_hang').catch(() => {})
    await journal.waitFor(isCallOf('hang'))
    const own = daemon.status().servers.find(({ owner }) => owner === agent.instance)
    expect(own).toMatchObject({ name: 'own', state: 'ready', pid: expect.any(Number) })
    agent.close()
    await journal.waitFor(({ event }) => event === 'cancelled')
    await waitFor(() => daemon.control.registry.size === 0)
    await waitFor(async () => !(await isAlive(own?.pid ?? 0)), { what: 'the private server to be stopped' })
  })

  it('without a profile is refused as a front; as a command it sees everything', async () => {
    const { daemon } = await openDaemon(bench, {
      mcpServers: { fx: bench.fixture('fx') },
      profiles: { default: { tools: { allow: ['fx_echo'] } } },
    })
    await daemon.switchboard.pool.ready()
    const { profile: _profile, ...params } = attachParams()
    await expect((await connectTo(bench)).attach(params)).rejects.toMatchObject({ code: 'invalid_arguments' })
    const client = await connectTo(bench)
    await client.attach({ ...params, role: 'command' })
    expect(daemon.control.registry.find(params.instance)).not.toHaveProperty('profile')
    const front = await attachAgent(bench)
    expect(codeOf(await front.call('fx_add', { a: 1, b: 2 }))).toBe('profile_denied')
    // The name of the view of everything is nothing that can be asked for.
    await expect(
      (await connectTo(bench)).attach(attachParams({ role: 'command', profile: 'everything' })),
    ).rejects.toMatchObject({ code: 'unknown_profile' })
  })

  it('that attaches again ends its old connection first', async () => {
    const { daemon } = await openDaemon(bench, { mcpServers: { fx: bench.fixture('fx') } })
    await daemon.switchboard.pool.ready()
    const instance = createInstanceId()
    const old = await attachAgent(bench, { instance })
    const fresh = await attachAgent(bench, { instance })
    await old.ended
    expect(textOfAnswer(await fresh.call('fx_echo', { text: 'here' }))).toBe('here')
    expect(daemon.status().instances.map((one) => one.instance)).toEqual([instance])
    // The end of the old one must not be taken for the end of the new one.
    expect(daemon.control.registry.find(instance)).toBeDefined()
  })

  it('that attaches many times at once ends with exactly one connection', async () => {
    const { daemon } = await openDaemon(bench)
    const instance = createInstanceId()
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectTo(bench)))
    let closed = 0
    for (const client of clients) void client.closed.then(() => closed++)
    // Whoever does not read what is said last does not notice the end either.
    const attach = async (client: IpcClient) => (await client.attach(attachParams({ instance }))).stream.resume()
    await Promise.allSettled(clients.map(attach))
    await waitFor(() => closed === 7, { what: 'all connections but one to be closed' })
    expect(daemon.control.registry.list()).toMatchObject([{ instance }])
  })

  it('is announced before its first message, and whoever listens may take its time', async () => {
    const { daemon } = await openDaemon(bench)
    const heard: string[] = []
    const mayGoOn = Promise.withResolvers<void>()
    daemon.control.registry.onAttached(async ({ instance }) => {
      heard.push(`attached ${instance}`)
      await mayGoOn.promise
    })
    daemon.control.registry.onDetached(({ instance }) => void heard.push(`detached ${instance}`))
    const attaching = attachAgent(bench)
    await waitFor(() => heard.length === 1)
    mayGoOn.resolve()
    const agent = await attaching
    agent.close()
    await waitFor(() => heard.length === 2)
    expect(heard).toEqual([`attached ${agent.instance}`, `detached ${agent.instance}`])
  })

  it('that hangs up while it is being attached leaves nothing', async () => {
    const { daemon } = await openDaemon(bench)
    const mayGoOn = Promise.withResolvers<void>()
    daemon.control.registry.onAttached(() => mayGoOn.promise)
    const client = await connectTo(bench)
    const attaching = client.attach(attachParams())
    attaching.catch(() => {})
    await waitFor(() => daemon.control.registry.size === 1)
    client.close()
    await expect(attaching).rejects.toMatchObject({ code: 'daemon_unavailable' })
    mayGoOn.resolve()
    await waitFor(() => daemon.control.registry.size === 0)
  })
})
