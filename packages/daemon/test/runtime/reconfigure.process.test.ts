/** Every setting of the gateway and of profiles changes while agents are connected, without a restart. */

import { once } from 'node:events'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { TokenStore } from '@switchboard/gateway'
import { pack } from '@switchboard/pack-switchboard'
import { findFreePort, occupyPort, waitFor } from '@switchboard/testkit'
import { connectAgent, ERAS, exchange } from '@switchboard/testkit/http'
import { connectSdkAgent } from '@switchboard/testkit/sdk'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { describe, expect, it } from 'vitest'
import { type SwitchboardInput, switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { isCallOf, watchJournal } from '../helpers/journal.ts'
import { type OpenSwitchboard, useWorkbench } from '../helpers/workbench.ts'

const bench = useWorkbench()

/** The servers stay the same throughout, to the letter. */
function configOf(
  gateway: SwitchboardInput['gateway'] = {},
  profiles: SwitchboardInput['profiles'] = {},
): SwitchboardInput {
  const servers = { one: bench.fixture('one'), two: bench.fixture('two') }
  return { mcpServers: servers, gateway, profiles, packs: WITHOUT_PACKS }
}

function change({ switchboard }: OpenSwitchboard, config: SwitchboardInput) {
  return switchboard.reconfigure(switchboardFile.check(config, { env: process.env }))
}

function pidsOf({ switchboard }: OpenSwitchboard): unknown[] {
  return switchboard.status().map(({ pid }) => pid)
}

/** The first generation's client with its stream open, and how often it was told of new tools. */
async function connectListening(url: string): Promise<{ client: Client; told(): number; tools(): Promise<string[]> }> {
  const client = new Client({ name: 'listening', version: '1' })
  let told = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    told++
  })
  // The SDK's own transport does not satisfy its interface under exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport)
  bench.defer(() => client.close())
  const tools = async () => (await client.listTools()).tools.map(({ name }) => name).filter(isOfServer)
  return { client, told: () => told, tools }
}

/** Switchboard's own tools are in every profile. */
function isOfServer(tool: string): boolean {
  return !pack.tools.some((own) => own.name === tool)
}

/** In somebody else's hands until the end of the test, or until its server is closed. */
async function takePort(): ReturnType<typeof occupyPort> {
  const taken = await occupyPort()
  bench.defer(() => taken.server.close())
  return taken
}

describe('profiles', () => {
  it('show their sessions the new view, tell them, and leave others and the servers alone', async () => {
    const open = await bench.open(configOf({}, { small: { providers: ['one'] }, other: { providers: ['one'] } }))
    const pids = pidsOf(open)
    const [small, other] = [await connectListening(`${open.mcp}/small`), await connectListening(`${open.mcp}/other`)]
    expect((await small.tools()).every((name) => name.startsWith('one_'))).toBe(true)
    await waitFor(() => open.switchboard.httpStats()?.streams === 2)

    const outcome = await change(open, configOf({}, { small: { providers: ['two'] }, other: { providers: ['one'] } }))
    expect(outcome).toEqual({ needsRestart: false })
    await waitFor(() => small.told() === 1, { what: 'the notification' })
    const tools = await small.tools()
    expect(tools.length).toBeGreaterThan(0)
    expect(tools.every((name) => name.startsWith('two_'))).toBe(true)
    expect((await other.tools()).every((name) => name.startsWith('one_'))).toBe(true)
    expect(other.told()).toBe(0)
    expect(pidsOf(open)).toEqual(pids)
  })

  it.each(ERAS)('that are gone are unknown to who still uses them (%s)', async (era) => {
    const open = await bench.open(configOf({}, { small: { providers: ['one'] } }))
    const agent = await connectAgent(era, `${open.mcp}/small`)
    bench.defer(() => agent.close())
    await change(open, configOf())
    expect((await agent.request('tools/list')).error).toMatchObject({ data: { error: { code: 'unknown_profile' } } })
    await change(open, configOf({}, { small: { providers: ['two'] } }))
    const names = (await agent.toolNames()).filter(isOfServer)
    expect(names.length > 0 && names.every((name) => name.startsWith('two_'))).toBe(true)
  })
})

describe('limits', () => {
  it('hold for the next call', async () => {
    const open = await bench.open(configOf())
    const agent = await connectSdkAgent('v1', { transport: 'http', url: open.mcp })
    bench.defer(() => agent.close())
    const call = () => agent.call('one_echo', { text: 'x' })
    expect(await call()).not.toMatchObject({ isError: true })
    await change(open, configOf({ rates: { one_echo: { perSecond: 1, burst: 1 } } }))
    const all = await Promise.all([call(), call(), call()])
    expect(all.filter(({ isError }) => isError === true)).toHaveLength(2)
    expect(all.at(-1)).toMatchObject({ structuredContent: { error: { code: 'rate_limited' } } })
    await change(open, configOf())
    expect(await call()).not.toMatchObject({ isError: true })
  })

  it('of a body hold for the next one', async () => {
    const open = await bench.open(configOf())
    const agent = await connectAgent('modern', open.mcp)
    bench.defer(() => agent.close())
    const text = 'x'.repeat(5_000)
    expect((await agent.call('one_echo', { text })).status).toBe(200)
    await change(open, configOf({ maxBodyBytes: 2_000 }))
    expect((await agent.call('one_echo', { text })).status).toBe(413)
  })
})

describe('who may come in', () => {
  it('changes with allowed hosts and origins', async () => {
    const open = await bench.open(configOf())
    const ask = async () =>
      (await exchange(`${open.url}/healthz`, { method: 'GET', headers: { origin: 'https://agents.example' } })).status
    expect(await ask()).toBe(403)
    await change(open, configOf({ allowedOrigins: ['https://agents.example'] }))
    expect(await ask()).toBe(200)
    await change(open, configOf())
    expect(await ask()).toBe(403)
  })

  it('ends whoever came in without a credential once one is asked for, and nobody else', async () => {
    const open = await bench.open(configOf())
    const tokens = new TokenStore(bench.home.file('tokens.json'))
    const { text } = await tokens.create({ name: 'laptop' })
    await tokens.close()
    const known = await connectAgent('legacy', open.mcp, { headers: { authorization: `Bearer ${text}` } })
    bench.defer(() => known.close())
    const stranger = await connectListening(open.mcp)
    const socket = new Client({ name: 'socket', version: '1' })
    const closed = new Promise<void>((resolve) => {
      socket.onclose = resolve
    })
    await socket.connect(new WebSocketClientTransport(new URL(`${open.url.replace(/^http/, 'ws')}/ws`)))
    expect(open.switchboard.httpStats()?.sessions).toBe(3)

    await change(open, configOf({ requireAuth: true }))
    await closed
    await waitFor(() => open.switchboard.httpStats()?.sessions === 1)
    await expect(stranger.tools()).rejects.toThrow()
    expect(await known.toolNames()).toContain('one_echo')

    await change(open, configOf())
    const again = await connectListening(open.mcp)
    expect(await again.tools()).toContain('one_echo')
  })

  it('that was open to every user and is not any longer ends whoever came in without a token', async () => {
    const open = await bench.open(configOf({ auth: 'none' }))
    expect(open.switchboard.accessPolicy).toBe('none')
    const anybody = await connectListening(open.mcp)
    await change(open, configOf({ auth: 'user' }))
    await waitFor(() => open.switchboard.httpStats()?.sessions === 0)
    await expect(anybody.tools()).rejects.toThrow()
    // Back to what it is by default changes nothing.
    const own = await connectListening(open.mcp)
    await change(open, configOf())
    expect(await own.tools()).toContain('one_echo')
  })

  it('is not loosened on an address that others can reach: the whole configuration is refused', async () => {
    const open = await bench.open(configOf({ requireAuth: true }), { host: '0.0.0.0', port: 0 })
    await expect(change(open, configOf({ requireAuth: false }, { new: {} }))).rejects.toMatchObject({
      code: 'invalid_configuration',
    })
    expect(open.switchboard.router.hasProfile('new')).toBe(false)
    const refused = await exchange(open.mcp.replace('0.0.0.0', '127.0.0.1'), { body: {} })
    expect(refused.status).toBe(401)
  })
})

describe('the address', () => {
  it('moves with sessions and calls under way', async () => {
    const [from, to] = [await findFreePort(), await findFreePort()]
    const open = await bench.open(configOf({ port: from }), {})
    expect(open.url).toBe(`http://127.0.0.1:${from}`)
    const agent = await connectAgent('legacy', open.mcp)
    bench.defer(() => agent.close())
    const journal = await watchJournal(bench.journal('one'))
    const first = agent.call('one_reorder', { group: 'g', size: 2, text: 'first' })
    await journal.waitFor(isCallOf('reorder'))

    expect(await change(open, configOf({ port: to }))).toEqual({ needsRestart: false })
    expect(open.switchboard.url).toBe(`http://127.0.0.1:${to}`)
    await expect(exchange(`${open.url}/healthz`, { method: 'GET' })).rejects.toThrow('ECONNREFUSED')
    const newcomer = await connectAgent('modern', `http://127.0.0.1:${to}/mcp`)
    bench.defer(() => newcomer.close())
    await newcomer.call('one_reorder', { group: 'g', size: 2, text: 'second' })
    expect((await first).result).toMatchObject({ content: [{ text: 'first' }] })
    expect(open.switchboard.httpStats()?.sessions).toBe(1)
  })

  it('stays where it is when the new one is taken, says so, and moves at the next try', async () => {
    const taken = await takePort()
    const open = await bench.open(configOf({ port: await findFreePort() }), {})
    const outcome = await change(open, configOf({ port: taken.port }, { new: {} }))
    expect(outcome).toMatchObject({ needsRestart: true, reason: { code: 'invalid_configuration' } })
    expect(outcome.reason?.message).toContain(
      `The port ${taken.port} on 127.0.0.1 is in use; still served: ${open.url}`,
    )
    expect((await exchange(`${open.url}/healthz`, { method: 'GET' })).status).toBe(200)
    expect(open.switchboard.router.hasProfile('new')).toBe(true)

    taken.server.close()
    await once(taken.server, 'close')
    expect(await change(open, configOf({ port: taken.port }))).toEqual({ needsRestart: false })
    expect((await exchange(`http://127.0.0.1:${taken.port}/healthz`, { method: 'GET' })).status).toBe(200)
  })

  it('may be another one on the same port', async () => {
    const port = await findFreePort()
    const open = await bench.open(configOf({ port, requireAuth: true }), {})
    const widened = await change(open, configOf({ port, host: '0.0.0.0', requireAuth: true }))
    expect(widened).toEqual({ needsRestart: false })
    const local = `http://127.0.0.1:${port}`
    expect((await exchange(`${local}/mcp`, { body: {} })).status).toBe(401)
    expect(await change(open, configOf({ port }))).toEqual({ needsRestart: false })
    expect(open.switchboard.url).toBe(local)
    const agent = await connectAgent('modern', `${local}/mcp`)
    bench.defer(() => agent.close())
    expect(await agent.toolNames()).toContain('one_echo')
  })

  it('that could not be had at the start is listened on once it can', async () => {
    const taken = await takePort()
    const open = await bench.open(configOf(), { port: 0 })
    await expect(open.switchboard.listen({ port: taken.port })).rejects.toMatchObject({ code: 'invalid_configuration' })
    expect(open.switchboard.url).toBeUndefined()
    taken.server.close()
    await once(taken.server, 'close')
    expect(await change(open, configOf())).toEqual({ needsRestart: false })
    expect(open.switchboard.url).toBe(`http://127.0.0.1:${taken.port}`)
  })

  it('does not outlive a close in the middle of a move', async () => {
    const listeners = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
    const [port, next] = [await findFreePort(), await findFreePort()]
    const before = listeners()
    const open = await bench.open(configOf({ port }), {})
    const moving = change(open, configOf({ port: next }))
    await open.switchboard.close()
    await moving.catch(() => undefined)
    await waitFor(() => listeners() <= before, { what: `the listeners to be closed (${before} before the test)` })
  })
})
