/** `switchboard serve` as people run it: addresses, tokens, profiles, live changes, private servers. */

import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { JsonObject } from '@switchboard/protocol'
import { type FixtureScript, findByMarker, textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectAgent, ERAS, exchange, JSON_HEADERS } from '@switchboard/testkit/http'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ServeProcess, useWorkbench, waitUntilReady } from './helpers/workbench.ts'

const SMALL: FixtureScript = { builtInTools: false, tools: ['alpha', 'beta', 'gamma'].map((name) => ({ name })) }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

describe('the address', () => {
  const bench = useWorkbench()

  it('is refused with exit code 64 when its port is in use', async () => {
    const blocker = createServer()
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
    bench.defer(() => new Promise((resolve) => blocker.close(resolve)))
    const address = blocker.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
    const program = bench.program(['serve', '--port', port])
    expect(await program.ended).toBe(64)
    expect(program.err()).toContain(`The port ${port} on 127.0.0.1 is in use`)
    expect(program.err()).toContain('--port')
    expect(program.out()).toBe('')
    expect(await findByMarker(bench.marker)).toEqual([])
  })

  it('is refused with the reason when it is beyond loopback and nobody has to show who they are', async () => {
    await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
    const program = bench.program(['serve', '--port', '0', '--host', '0.0.0.0', '--json'])
    expect(await program.ended).toBe(64)
    expect(program.out() + program.err()).toContain('0.0.0.0')
    expect(program.out() + program.err()).toMatch(/authenticat|requireAuth/)
    expect(await findByMarker(bench.marker)).toEqual([])
  })

  it('is not taken from a port that is no number', async () => {
    await bench.writeConfig({})
    const program = bench.program(['serve', '--port', 'eighty'])
    expect(await program.ended).toBe(2)
    expect(program.err()).toContain('"eighty"')
  })
})

describe('a token', () => {
  const bench = useWorkbench()

  it('opens the door from its creation until it is revoked, on every transport', async () => {
    const serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx', SMALL) }, gateway: { requireAuth: true } })
    const refused = await exchange(serve.mcp, { body: INITIALIZE })
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer/)
    expect(refused.messages[0]).toMatchObject({ jsonrpc: '2.0', error: { data: { error: { code: 'unauthorized' } } } })

    const created = bench.program(['token', 'create', 'laptop'])
    expect(await created.ended).toBe(0)
    const token = created.out().trim()
    expect(token).toMatch(/^\S{30,}$/)
    const headers = { authorization: `Bearer ${token}` }
    const agents = await Promise.all(ERAS.map((era) => connectAgent(era, serve.mcp, { headers })))
    await waitFor(async () => (await agents[0]?.toolNames())?.includes('fx_alpha'), { what: 'the tools' })
    for (const agent of agents) expect(textOfAnswer(await agent.call('fx_alpha'))).toBe('alpha')
    const almost = await exchange(serve.mcp, {
      headers: { ...JSON_HEADERS, authorization: `Bearer ${token.slice(0, -1)}` },
      body: INITIALIZE,
    })
    expect(almost.status).toBe(401)

    expect(await bench.program(['token', 'revoke', 'laptop']).ended).toBe(0)
    for (const agent of agents) {
      const answer = await agent.call('fx_alpha')
      expect([answer.status, answer.error.data]).toMatchObject([401, { error: { code: 'unauthorized' } }])
    }
    const events = await exchange(`${serve.url}/sse`, { method: 'GET', headers })
    expect(events.status).toBe(401)
    await Promise.all(agents.map((agent) => agent.close()))
  })

  it('is told with the address where it is needed, and only there', async () => {
    const config = { mcpServers: { fx: bench.fixture('fx', SMALL) } }
    const asked = await bench.serve({ ...config, gateway: { auth: 'token' } })
    const told = JSON.parse(asked.out()) as { auth: string; headers: Record<string, string> }
    expect(told.auth).toBe('token')
    expect((await exchange(asked.mcp, { body: INITIALIZE })).status).toBe(401)
    const headers = { ...JSON_HEADERS, ...told.headers }
    expect((await exchange(asked.mcp, { headers, body: INITIALIZE })).status).toBe(200)
    await asked.stop()
    const open = await bench.serve({ ...config, gateway: { auth: 'none' } })
    expect(JSON.parse(open.out())).toMatchObject({ auth: 'none' })
    expect(JSON.parse(open.out())).not.toHaveProperty('headers')
    expect((await exchange(open.mcp, { body: INITIALIZE })).status).toBe(200)
  })

  it('that is bound to a profile opens no other', async () => {
    const serve = await bench.serve({
      mcpServers: { fx: bench.fixture('fx', SMALL) },
      gateway: { requireAuth: true },
      profiles: { small: { tools: { allow: ['*_alpha'] } }, other: {} },
    })
    const created = bench.program(['token', 'create', 'ci', '--profile', 'small', '--json'])
    expect(await created.ended).toBe(0)
    const { token } = JSON.parse(created.out()) as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    await waitUntilReady(serve, ['fx'], headers)
    const agent = await connectAgent('modern', serve.mcp, { headers })
    bench.defer(() => agent.close())
    expect(await agent.toolNames()).toEqual(['fx_alpha'])
    const other = await exchange(`${serve.mcp}/other`, { headers: { ...JSON_HEADERS, ...headers }, body: INITIALIZE })
    expect(other.status).toBe(403)
  })
})

describe.each(ERAS)('a profile, for an agent of the %s era', (era) => {
  const bench = useWorkbench({ per: 'suite' })
  let serve: ServeProcess

  beforeAll(async () => {
    serve = await bench.serve({
      mcpServers: { fx: bench.fixture('fx', SMALL), more: bench.fixture('more', { ...SMALL, dummyTools: 50 }) },
      profiles: {
        one: { providers: ['fx'], tools: { deny: ['*_gamma'] } },
        search: { search: true, pinned: ['fx_beta'] },
      },
    })
    await waitUntilReady(serve, ['fx', 'more'])
  })

  async function connect(path: string) {
    const agent = await connectAgent(era, `${serve.mcp}${path}`)
    bench.defer(() => agent.close())
    return agent
  }

  it('shows what it names and refuses the rest, naming itself', async () => {
    const agent = await connect('/one')
    // Switchboard's own come last, whatever servers a profile names.
    expect(await agent.toolNames()).toEqual(['fx_alpha', 'fx_beta', 'debug_get_logs', 'switchboard_status'])
    expect(textOfAnswer(await agent.call('fx_beta'))).toBe('beta')
    const denied = await agent.call('fx_gamma')
    expect(JSON.stringify(denied.message)).toContain('profile_denied')
    expect((await connect('').then((all) => all.toolNames())).length).toBe(56 + 2)
  })

  it('that nobody has configured is 404, in JSON-RPC', async () => {
    const { status, headers, messages } = await exchange(`${serve.mcp}/nobody`, { body: INITIALIZE })
    expect([status, headers['content-type']]).toEqual([404, 'application/json'])
    expect(messages[0]).toMatchObject({ jsonrpc: '2.0', error: { data: { error: { code: 'unknown_profile' } } } })
  })

  it('with search lists three tools and the pinned ones, and calls any other through them', async () => {
    const agent = await connect('/search')
    expect((await agent.toolNames()).sort()).toEqual(['fx_beta', 'tool_call', 'tool_describe', 'tool_search'])
    const found = await agent.call('tool_search', { query: 'generated tool number 7' })
    expect(JSON.stringify(found.result)).toContain('more_dummy_0007')
    const described = await agent.call('tool_describe', { name: 'more_dummy_0007' })
    expect(JSON.stringify(described.result)).toContain('What to look for.')
    const called = await agent.call('tool_call', { name: 'more_dummy_0007', arguments: { query: 'x' } })
    expect(textOfAnswer(called)).toBe('dummy_0007')
    const invalid = await agent.call('tool_call', { name: 'more_dummy_0007', arguments: {} })
    expect(JSON.stringify(invalid.result)).toContain('invalid_arguments')
  })
})

describe('the configuration file', () => {
  const bench = useWorkbench()

  it('adds and removes servers while agents are connected, and every agent hears of it', async () => {
    const fx = bench.fixture('fx', SMALL)
    const serve = await bench.serve({ mcpServers: { fx } })
    await waitUntilReady(serve, ['fx'])
    const agent = await connectAgent('legacy', serve.mcp)
    const heard: string[] = []
    const stop = new AbortController()
    bench.defer(async () => {
      stop.abort()
      await agent.close()
    })
    const session = await openSession(serve)
    const onMessage = ({ method }: JsonObject) => void heard.push(String(method))
    const streams = [
      exchange(serve.mcp, { method: 'GET', headers: session, signal: stop.signal, onMessage }),
      listen(serve, stop.signal, (message) => void heard.push(`modern ${String(message.method)}`)),
    ].map((stream) => stream.catch(() => undefined))
    await waitFor(() => heard.some((method) => method.includes('acknowledged')), { what: 'the streams to be open' })

    await bench.writeConfig({ mcpServers: { fx, late: bench.fixture('late', SMALL) } })
    const changed = 'notifications/tools/list_changed'
    await waitFor(() => heard.includes(changed) && heard.includes(`modern ${changed}`), { what: 'both to hear of it' })
    await waitUntilReady(serve, ['late'])
    await waitFor(async () => (await agent.toolNames()).includes('late_alpha'))
    expect(textOfAnswer(await agent.call('late_alpha'))).toBe('alpha')

    await bench.writeConfig({ mcpServers: { late: bench.fixture('late', SMALL) } })
    await waitFor(async () => !(await agent.toolNames()).includes('fx_alpha'))
    await waitFor(async () => (await findByMarker(bench.marker)).length === 1, { what: 'the process of fx to end' })
    stop.abort()
    await Promise.all(streams)
  })

  it('that becomes unreadable changes nothing', async () => {
    const serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx', SMALL) } })
    await waitUntilReady(serve, ['fx'])
    await writeFile(bench.home.file('config.json'), '{ "mcpServers": { "fx": ')
    await waitFor(() => serve.err().includes('configuration refused'), { what: 'the refusal' })
    const agent = await connectAgent('modern', serve.mcp)
    bench.defer(() => agent.close())
    expect(textOfAnswer(await agent.call('fx_alpha'))).toBe('alpha')
  })
})

describe('a server that is not shared', () => {
  const bench = useWorkbench()

  it('has a process for each session, which ends with it', async () => {
    const serve = await bench.serve({ mcpServers: { own: bench.fixture('own', {}, { shared: false }) } })
    await waitUntilReady(serve, ['own'])
    const before = (await findByMarker(bench.marker)).map(({ pid }) => pid)
    const agents = await Promise.all([1, 2, 3].map(() => connectAgent('legacy', serve.mcp)))
    const pids = await Promise.all(agents.map(async (agent) => Number(textOfAnswer(await agent.call('own_pid')))))
    expect(new Set([...before, ...pids]).size).toBe(before.length + 3)
    expect(await Promise.all(agents.map(async (agent) => Number(textOfAnswer(await agent.call('own_pid')))))).toEqual(
      pids,
    )
    const [leaving, ...staying] = agents
    await leaving?.close()
    await waitFor(
      async () => {
        const alive = (await findByMarker(bench.marker)).map(({ pid }) => pid)
        expect(alive.toSorted()).toEqual([...before, ...pids.slice(1)].toSorted())
        return true
      },
      { what: 'its process to end, and no other' },
    )
    expect(await Promise.all(staying.map(async (agent) => Number(textOfAnswer(await agent.call('own_pid')))))).toEqual(
      pids.slice(1),
    )
    await Promise.all(staying.map((agent) => agent.close()))
  })
})

async function openSession({ mcp }: ServeProcess): Promise<Record<string, string>> {
  const { headers } = await exchange(mcp, { body: INITIALIZE })
  const session = { ...JSON_HEADERS, 'mcp-session-id': String(headers['mcp-session-id']) }
  await exchange(mcp, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return session
}

/** A modern stream of changes; resolves when it ends. */
function listen({ mcp }: ServeProcess, signal: AbortSignal, onMessage: (message: JsonObject) => void) {
  const method = 'subscriptions/listen'
  const params = {
    notifications: { toolsListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  }
  const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  return exchange(mcp, {
    headers,
    body: { jsonrpc: '2.0', id: 'changes', method, params },
    signal,
    onMessage,
  })
}
