/** What a misbehaving server does to its agents, and above all what it does not: each cell of the table on its own. */

import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { findByMarker, textOfAnswer, waitFor } from '@switchboard/testkit'
import {
  type Answer,
  connectAgent,
  ERAS,
  exchange,
  failureOf,
  type HttpAgent,
  JSON_HEADERS,
} from '@switchboard/testkit/http'
import { beforeAll, describe, expect, it } from 'vitest'
import { isCallOf, isCancelOf, watchJournal } from './helpers/journal.ts'
import { readHealth, type ServeProcess, useWorkbench, waitUntilReady } from './helpers/workbench.ts'

const bench = useWorkbench({ per: 'suite' })
/** One of their own for each era, since a server that was just lost is not started again as quickly. */
const FRAGILE = ['killed', 'exiting'].flatMap((fate) => ERAS.map((era) => `${fate}-${era}`))
let serve: ServeProcess

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' }
const CALL = {
  jsonrpc: '2.0',
  id: 'call',
  method: 'tools/call',
  params: { name: 'calm_progress', arguments: { count: 100, sameChunk: true }, _meta: { progressToken: 't' } },
}

beforeAll(async () => {
  const names = ['calm', 'busy', ...FRAGILE]
  serve = await bench.serve({ mcpServers: Object.fromEntries(names.map((name) => [name, bench.fixture(name)])) })
  await waitUntilReady(serve, names)
})

describe.each(ERAS)('an agent of the %s era', (era) => {
  let agent: HttpAgent

  beforeAll(async () => {
    agent = await connectAgent(era, serve.mcp)
    return () => agent.close()
  })

  it('does not notice that an idle server was killed: the next call of the same session succeeds', async () => {
    const server = `killed-${era}`
    const tools = await agent.toolNames()
    const pid = Number(textOfAnswer(await agent.call(`${server}_pid`)))
    const before = (await findByMarker(bench.marker)).length
    process.kill(pid, 'SIGKILL')
    // Its successor is there: the death was noticed while nothing was in flight.
    const isReplaced = async (): Promise<boolean> => {
      const found = await findByMarker(bench.marker)
      return found.length >= before && !found.some((process) => process.pid === pid)
    }
    await waitFor(isReplaced, { what: 'the server to be replaced' })
    const next = await agent.call(`${server}_pid`)
    expect(next.result.isError).toBeUndefined()
    expect(Number(textOfAnswer(next))).not.toBe(pid)
    expect(await agent.toolNames()).toEqual(tools)
    expect(tools.filter((name) => name.startsWith(`${server}_`)).length).toBeGreaterThan(30)
  })

  it('is told which server exited in the middle of its calls, and can call it again', async () => {
    const server = `exiting-${era}`
    const journal = await watchJournal(bench.journal(server))
    const other = agent.call(`${server}_hang`)
    await journal.waitFor(isCallOf('hang'))
    const exiting = await agent.call(`${server}_exit`, { code: 3 })
    for (const answer of [exiting, await other]) {
      expect(answer.result.isError).toBe(true)
      const failure = failureOf(answer)
      expect(failure).toMatchObject({ code: 'server_exited', category: 'unavailable', executed: 'unknown' })
      expect(JSON.stringify(failure.details)).toContain(server)
    }
    expect(textOfAnswer(await agent.call(`${server}_echo`, { text: 'back' }))).toBe('back')
  })

  it('goes on while one of its calls hangs', async () => {
    const id = `hanging-${era}`
    const journal = await watchJournal(bench.journal('calm'))
    const hanging = agent.call('calm_hang', {}, { id }).catch(() => undefined)
    await journal.waitFor(isCallOf('hang'))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => agent.call('calm_echo', { text: String(index) })),
    )
    expect(answers.map(textOfAnswer)).toEqual(answers.map((_, index) => String(index)))
    await agent.cancel(id)
    await hanging
  })

  it('is served by one server while the event loop of another is blocked', async () => {
    const done: string[] = []
    const journal = await watchJournal(bench.journal('busy'))
    const blocked = agent.call('busy_block', { ms: 1_500 }).then(() => done.push('busy'))
    await journal.waitFor(({ event }) => event === 'blocking')
    await agent.call('calm_echo', { text: 'meanwhile' }).then(() => done.push('calm'))
    await blocked
    expect(done).toEqual(['calm', 'busy'])
  })

  it('gets its answer from a server that writes 10 MB to stderr', async () => {
    const answer = await agent.call('calm_stderr', { bytes: 10 * 1024 * 1024 })
    expect(textOfAnswer(answer)).toBe(`wrote ${10 * 1024 * 1024} bytes`)
  })

  it.each(['lines', 'long-line', 'invalid-utf8'])(
    'gets its answer after %s on stdout that are not JSON',
    async (shape) => {
      const answer = await agent.call('calm_garbage', { bytes: 100_000, shape })
      expect(textOfAnswer(answer)).toBe(`wrote 100000 bytes as ${shape}`)
    },
  )

  it('gets a result of 5 MB whole', async () => {
    expect(textOfAnswer(await agent.call('calm_big', { bytes: 5_000_000 }))).toHaveLength(5_000_000)
  })

  it('sends arguments of 2 MB whole', async () => {
    const text = 'é'.repeat(1_000_000)
    expect(textOfAnswer(await agent.call('calm_echo', { text })) === text).toBe(true)
  })

  it('is told in JSON-RPC that arguments of 5 MB are too large, and goes on', async () => {
    const refused = await agent.call('calm_echo', { text: 'x'.repeat(5_000_000) })
    expect(refused.status).toBe(413)
    expect(refused.headers['content-type']).toBe('application/json')
    expect(refused.message).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } })
    expect(refused.error.data).toMatchObject({ error: { code: 'request_too_large', executed: false } })
    expect(textOfAnswer(await agent.call('calm_echo', { text: 'small' }))).toBe('small')
  })

  it.each([
    [5, false],
    [5, true],
    [100, false],
    [100, true],
  ])(
    'gets %i of its progress notifications in order and before the result (in one chunk: %s)',
    async (count, sameChunk) => {
      const progressToken = `token-${count}-${sameChunk}`
      const answer = await agent.call('calm_progress', { count, sameChunk }, { progressToken })
      expect(textOfAnswer(answer)).toBe(`reported ${count}`)
      expect(readProgress(answer, progressToken)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    },
  )

  it('reaches the server with an explicit cancel, and nobody else', async () => {
    const id = `cancelled-${era}`
    const journal = await watchJournal(bench.journal('calm'))
    const unwanted = agent.call('calm_slow', { ms: 60_000, steps: 1 }, { id }).catch(() => undefined)
    const wanted = agent.call('calm_slow', { ms: 200, steps: 1 })
    const call = await journal.waitFor((entry) => isCallOf('slow')(entry) && JSON.stringify(entry).includes('60000'))
    await agent.cancel(id)
    await journal.waitFor(isCancelOf(call))
    await unwanted
    expect(textOfAnswer(await wanted)).toBe('slept 200 ms')
    expect((await journal.entries()).filter(({ event }) => event === 'cancelled')).toHaveLength(1)
    await waitFor(async () => (await readHealth(serve)).inFlight === 0, { what: 'no call to be in flight' })
  })
})

it('answers 413 in JSON also to a body whose length nobody told beforehand', async () => {
  const chunked = { ...JSON_HEADERS, 'transfer-encoding': 'chunked' }
  const { status, headers, messages } = await exchange(serve.mcp, { headers: chunked, body: 'x'.repeat(6_000_000) })
  expect([status, headers['content-type']]).toEqual([413, 'application/json'])
  expect(messages[0]).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { message: expect.stringContaining('4194304') },
  })
})

it.each(['sse', 'websocket'])(
  'passes 100 of 100 progress notifications on before the result over %s',
  async (transport) => {
    const messages = transport === 'sse' ? await callOverSse() : await callOverWebSocket()
    expect(messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(100)
    const last = messages.at(-1)
    expect(last).toMatchObject({ id: CALL.id, result: { content: [{ text: 'reported 100' }] } })
    const steps = messages.slice(0, -1).map(({ params }) => (isJsonObject(params) ? params.progress : undefined))
    expect(steps).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  },
)

/** Everything that came after the handshake, up to the result. */
function callOverWebSocket(): Promise<JsonObject[]> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${serve.url.replace(/^http/, 'ws')}/ws`, 'mcp')
    const messages: JsonObject[] = []
    socket.onerror = () => reject(new Error('The WebSocket failed'))
    socket.onopen = () => {
      for (const message of [INITIALIZE, INITIALIZED, CALL]) socket.send(JSON.stringify(message))
    }
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as JsonObject
      if (message.id !== INITIALIZE.id) messages.push(message)
      if (message.id === CALL.id) socket.close()
    }
    socket.onclose = () => resolve(messages)
  })
}

async function callOverSse(): Promise<JsonObject[]> {
  const messages: JsonObject[] = []
  const stop = new AbortController()
  const stream = exchange(`${serve.url}/sse`, {
    method: 'GET',
    signal: stop.signal,
    onEvent: async (event, data) => {
      if (event !== 'endpoint') return
      for (const body of [INITIALIZE, INITIALIZED, CALL]) await exchange(new URL(data, serve.url).href, { body })
    },
    onMessage: (message) => {
      if (message.id !== INITIALIZE.id) messages.push(message)
      if (message.id === CALL.id) stop.abort()
    },
  })
  await stream.catch(() => {})
  return messages
}

function readProgress({ before }: Answer, token: string): unknown[] {
  return before
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => (isJsonObject(params) && params.progressToken === token ? params.progress : 'foreign'))
}
