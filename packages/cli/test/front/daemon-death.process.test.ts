/** What the agents of several windows notice when their daemon is killed, stopped, or not there yet. */
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonObject } from '@switchboard/protocol'
import { fromToolErrorResult } from '@switchboard/protocol/errors'
import { findByMarker, isAlive, readJournal, startProgram, textOfAnswer, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { type FrontAgent, PATIENCE, useFrontBench } from './support/front-bench.ts'

const bench = useFrontBench()
const codeOf = (answer: JsonObject): string | undefined => fromToolErrorResult(answer.result ?? answer)?.code

/** Ends it as nothing can be prepared for, and waits for its successor. */
async function killDaemon(): Promise<{ before: number; after: number }> {
  const { pid, epoch } = await bench.daemonInfo()
  process.kill(pid, 'SIGKILL')
  const info = await waitFor(
    async () => {
      const now = await bench.daemonInfo().catch(() => undefined)
      return now !== undefined && now.pid !== pid ? now : undefined
    },
    { what: 'another daemon', ...PATIENCE },
  )
  expect(info.epoch).toBe(epoch + 1)
  return { before: pid, after: info.pid }
}

/** So many requests have arrived at the server. */
function requestsArrived(server: string, method: string, count: number): Promise<boolean> {
  const arrived = async () =>
    (await readJournal(bench.journal(server)).catch(() => [])).filter(({ message }) => message?.method === method)
      .length >= count
  return waitFor(arrived, { what: `${count} of ${method}`, ...PATIENCE })
}

function callsArrived(server: string, count: number): Promise<boolean> {
  return requestsArrived(server, 'tools/call', count)
}

test('twenty fronts at once without a daemon start one, and all are served by it', async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
  const agents = Array.from({ length: 20 }, () => bench.start())
  await Promise.all(agents.map((agent) => agent.initialize()))
  const pids = await Promise.all(agents.map((agent) => agent.call('fx_pid').then(textOfAnswer)))
  expect(new Set(pids).size).toBe(1)
  await waitFor(async () => (await bench.daemons()).length === 1, PATIENCE)
  expect(await bench.daemonInfo()).toMatchObject({ epoch: 1 })
  expect(await findByMarker(bench.marker)).toHaveLength(1)
})

test('kill -9 with ten fronts and calls under way: each call is answered once, one new daemon serves all, no server of the old one is left', async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
  const agents = Array.from({ length: 10 }, () => bench.start())
  await Promise.all(agents.map((agent) => agent.initialize()))
  const [server] = await Promise.all(agents.map((agent) => agent.call('fx_pid').then(textOfAnswer)))
  const slow = (agent: FrontAgent, id: string): void =>
    agent.send({ id, method: 'tools/call', params: { name: 'fx_slow', arguments: { ms: 120_000, steps: 1 } } })
  for (const agent of agents) for (const id of ['slow-1', 'slow-2', 'slow-3']) slow(agent, id)
  // Some run, the rest wait in the queue of the server: none of them may be forgotten.
  await callsArrived('fx', agents.length + 4)

  const { after } = await killDaemon()
  for (const agent of agents) {
    for (const id of ['slow-1', 'slow-2', 'slow-3']) expect(codeOf(await agent.answerTo(id))).toBe('daemon_restarted')
  }
  const pids = await Promise.all(agents.map((agent) => agent.call('fx_pid').then(textOfAnswer)))
  expect(new Set(pids).size).toBe(1)
  expect(pids[0]).not.toBe(server)
  await waitFor(async () => !(await isAlive(Number(server))), PATIENCE)
  await waitFor(async () => (await bench.daemons()).length === 1, PATIENCE)
  expect(await bench.daemonInfo()).toMatchObject({ pid: after })
  for (const { received } of agents) {
    for (const id of ['slow-1', 'slow-2', 'slow-3']) {
      expect(received.filter((message) => message.id === id)).toHaveLength(1)
    }
    expect(received.map(({ method }) => method)).toContain('notifications/tools/list_changed')
  }
  expect(await findByMarker(bench.marker)).toHaveLength(1)
})

describe("the SDK's clients", () => {
  test('v1: a subscription, the log level and a pending elicitation over the death of the daemon', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities: { elicitation: {} } })
    const asked: AbortSignal[] = []
    const updated: string[] = []
    let changes = 0
    client.setRequestHandler(ElicitRequestSchema, async (_request, { signal }) => {
      asked.push(signal)
      if (asked.length > 1) return { action: 'accept', content: { answer: 'yes' } }
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { action: 'cancel' }
    })
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri))
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++)
    await client.connect(new StdioV1(bench.command()))
    bench.defer(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('fx_ask')
    const [resource] = (await client.listResources()).resources.filter(({ uri }) => uri.includes('counter'))
    const uri = resource?.uri ?? ''
    await client.subscribeResource({ uri })
    await client.setLoggingLevel('warning')
    const pending = client.callTool({ name: 'fx_ask', arguments: { message: 'Who?' } })
    await waitFor(() => asked.length === 1, PATIENCE)

    await killDaemon()
    expect(codeOf(await pending)).toBe('daemon_restarted')
    expect(asked[0]?.aborted).toBe(true)
    // While the subscription is made anew, a question of this server could belong to either, and would be declined.
    await requestsArrived('fx', 'resources/subscribe', 2)
    const again = await client.callTool({ name: 'fx_ask', arguments: { message: 'Who?' } })
    expect(textOfAnswer({ result: again })).toContain('yes')
    await client.callTool({ name: 'fx_touch', arguments: {} })
    await waitFor(() => updated.includes(uri), { what: 'the update of a subscribed resource', ...PATIENCE })
    expect(changes).toBeGreaterThan(0)
    expect(textOfAnswer({ result: await client.callTool({ name: 'fx_add', arguments: { a: 2, b: 3 } }) })).toBe('5')
  })

  test('v2 in the modern era: a stream that listens goes on, a call with an output schema fails readably', async () => {
    await bench.configure({
      mcpServers: { fx: bench.fixture('fx', { era: 'dual', on: { 'tools/call': { do: 'silent', times: 1 } } }) },
    })
    const client = new ClientV2(
      { name: 'v2', version: '2' },
      { capabilities: {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const updated: string[] = []
    let changes = 0
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
    client.setNotificationHandler('notifications/tools/list_changed', () => void changes++)
    await client.connect(new StdioV2(bench.command()))
    bench.defer(() => client.close())
    await waitFor(async () => (await client.listTools()).tools.some(({ name }) => name === 'fx_add'), PATIENCE)
    const [resource] = (await client.listResources()).resources.filter(({ uri }) => uri.includes('counter'))
    const uri = resource?.uri ?? ''
    const stream = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] })
    const pending = client.callTool({ name: 'fx_add', arguments: { a: 1, b: 1 } })
    await callsArrived('fx', 1)

    await killDaemon()
    expect(codeOf({ result: { ...(await pending) } })).toBe('daemon_restarted')
    await waitFor(() => changes > 0, PATIENCE)
    // The fixture's script counts anew in its new process: this one meets the silence.
    void client.callTool({ name: 'fx_echo', arguments: { text: 'x' } }).catch(() => undefined)
    await callsArrived('fx', 2)
    await client.callTool({ name: 'fx_touch', arguments: {} })
    await waitFor(() => updated.includes(uri), { what: 'the update of a resource', ...PATIENCE })
    await stream.close()
  })
})

test('two fronts with one instance id do not fight over it: each is served when its agent asks', async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
  const [first, second] = ['first', 'second'].map(() => bench.start([], { SWITCHBOARD_INSTANCE_ID: 'tt79-6f854d' }))
  if (first === undefined || second === undefined) throw new Error('There are two')
  await first.initialize()
  await second.initialize()
  for (const agent of [first, second, first]) expect(textOfAnswer(await agent.call('fx_echo', { text: 'x' }))).toBe('x')
  const attachments = (await bench.frontLogs()).join().split('"cat":"mcp.attach"').length - 1
  // Two at the start and one for each turn; a front may learn only by its own request that it was replaced.
  expect(attachments).toBeLessThanOrEqual(8)
})

describe('an orderly stop', () => {
  test('by switchboard down lets calls under way finish, starts nothing, and the next request starts a daemon again', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = bench.start()
    await agent.initialize()
    await agent.call('fx_echo', { text: 'x' })
    const underWay = agent.call('fx_slow', { ms: 1000, steps: 1 })
    await callsArrived('fx', 2)
    const { pid } = await bench.daemonInfo()
    const down = startProgram(['down'], { home: bench.home.path })
    expect(textOfAnswer(await underWay)).toBe('slept 1000 ms')
    expect(await down.ended).toBe(0)
    expect(await isAlive(pid)).toBe(false)
    const logged = async () => (await bench.frontLogs()).join()
    await waitFor(async () => (await logged()).includes('The daemon was stopped'), PATIENCE)
    expect(await bench.daemons()).toEqual([])
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'again' }))).toBe('again')
    expect(await bench.daemons()).toHaveLength(1)
    expect(agent.received.some(({ method }) => String(method).includes('stopping'))).toBe(false)
  })

  test('a daemon that somebody else starts is found without being asked for', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = bench.start()
    await agent.initialize()
    const { pid } = await bench.daemonInfo()
    process.kill(pid, 'SIGTERM')
    await waitFor(async () => !(await isAlive(pid)), PATIENCE)
    const other = startProgram(['daemon', '--home', bench.home.path], {
      home: bench.home.path,
      env: { SWITCHBOARD_HTTP_PORT: '0' },
    })
    bench.defer(async () => {
      other.child.kill('SIGTERM')
      await other.ended
    })
    await waitFor(async () => (await bench.frontLogs()).join().includes('attached to a daemon again'), PATIENCE)
    expect(await bench.daemonInfo()).toMatchObject({ pid: other.pid })
  })
})
