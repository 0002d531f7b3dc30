/** What whoever owns the pair of streams can see of the agent there, and how it ends the conversation itself. */
import { PassThrough, Writable } from 'node:stream'
import type { Call, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createRequestEnvelope, withRequestEnvelope } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import type { Identity } from '../../src/identity.ts'
import { serveStdio } from '../../src/stdio/stdio-server.ts'
import { FakeProvider } from '../helpers/fake-provider.ts'
import { createHarness } from '../helpers/gateway-harness.ts'

const IDENTITY: Identity = { instance: 'tt79-6f854d', profile: 'default', transport: 'front' }

/** Answers `say` at once, and `hold` when its call is aborted. */
function createProvider(): FakeProvider {
  const tools = ['say', 'hold'].map((name) => ({ name, inputSchema: { type: 'object' as const } }))
  return new FakeProvider('fx', {
    catalog: { tools },
    answers: {
      'tools/call': ({ name }, call: Call) =>
        name === 'say'
          ? { content: [{ type: 'text', text: 'said' }] }
          : new Promise((_resolve, reject) => {
              call.signal.addEventListener('abort', () => reject(call.signal.reason))
            }),
    },
  })
}

function open({ identity = IDENTITY, ...options }: { identity?: Identity; maxUnreadBytes?: number } = {}) {
  const provider = createProvider()
  const { gateway } = createHarness([provider])
  const input = new PassThrough()
  const output = new PassThrough()
  const messages: JsonObject[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  output.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) messages.push(JSON.parse(line))
    for (const look of [...waiting]) look()
  })
  const server = serveStdio({ gateway, identity, input, output, ...options })
  const send = (message: JsonObject): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const message = (matches: (candidate: JsonObject) => boolean): Promise<JsonObject> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = messages.find(matches)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const answer = (id: number): Promise<JsonObject> => message((candidate) => candidate.id === id)
  const initialize = async (): Promise<void> => {
    const clientInfo = { name: 'agent', version: '1.2' }
    send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
    await answer(0)
    send({ method: 'notifications/initialized' })
  }
  return { provider, server, send, answer, message, initialize, messages }
}

function callModern(id: number, name: string): JsonObject {
  const clientInfo = { name: 'modern agent', version: '3' }
  const envelope = createRequestEnvelope({ version: '2026-07-28', capabilities: {}, clientInfo })
  return { id, method: 'tools/call', params: withRequestEnvelope({ name, arguments: {} }, envelope) }
}

const STOPPING = new SwitchboardError('shutting_down', 'Switchboard is stopping')

describe('an agent on a pair of streams', () => {
  it('is known by its name, its calls and what is under way, in the legacy era', async () => {
    const { server, send, answer, initialize, provider } = open()
    expect([server.client, server.calls, server.inFlight]).toEqual([undefined, 0, 0])
    await initialize()
    expect(server.client).toEqual({ name: 'agent', version: '1.2' })
    send({ id: 1, method: 'tools/call', params: { name: 'fx_say' } })
    await answer(1)
    const held = provider.waitFor('tools/call')
    send({ id: 2, method: 'tools/call', params: { name: 'fx_hold' } })
    await held
    expect([server.calls, server.inFlight]).toEqual([2, 1])
    server.close('over')
    expect(server.inFlight).toBe(0)
  })

  it('is known by the same in the modern era', async () => {
    const { server, send, answer, provider } = open()
    send(callModern(1, 'fx_say'))
    await answer(1)
    const held = provider.waitFor('tools/call')
    send(callModern(2, 'fx_hold'))
    await held
    expect(server.client).toEqual({ name: 'modern agent', version: '3' })
    expect([server.calls, server.inFlight]).toEqual([2, 1])
    server.close('over')
  })

  it('hands its budget on as the one of servers that have none', async () => {
    const { provider, server, send, answer, initialize } = open({ identity: { ...IDENTITY, timeout: 1234 } })
    await initialize()
    send({ id: 1, method: 'tools/call', params: { name: 'fx_say' } })
    await answer(1)
    expect(provider.requests.at(-1)?.call).toMatchObject({ defaultTimeout: 1234 })
    expect(provider.requests.at(-1)?.call.timeout).toBeUndefined()
    server.close('over')
  })

  it('has new requests refused and those under way finished, once that is asked for', async () => {
    const { server, send, answer, initialize, message, provider } = open()
    await initialize()
    const held = provider.waitFor('tools/call')
    send({ id: 1, method: 'tools/call', params: { name: 'fx_hold' } })
    const { call } = await held
    server.notify('notifications/switchboard/stopping')
    server.refuseRequests()
    send({ id: 2, method: 'tools/call', params: { name: 'fx_say' } })
    send(callModern(3, 'fx_say'))
    for (const id of [2, 3]) {
      expect(await answer(id)).toMatchObject({ error: { data: { error: { code: 'shutting_down', executed: false } } } })
    }
    expect(server.inFlight).toBe(1)
    // What it has to say about its own call is still heard.
    send({ method: 'notifications/cancelled', params: { requestId: 1 } })
    await message(({ method }) => method === 'notifications/switchboard/stopping')
    expect(call.signal.aborted).toBe(true)
    server.close('over')
  })

  it('gets an answer to everything under way when we end it, with our reason, and so does the server', async () => {
    const { server, send, answer, initialize, provider } = open()
    await initialize()
    const legacy = provider.waitFor('tools/call')
    send({ id: 1, method: 'tools/call', params: { name: 'fx_hold' } })
    await legacy
    const modern = provider.waitFor('tools/call')
    send(callModern(2, 'fx_hold'))
    await modern
    server.shutDown(STOPPING)
    for (const id of [1, 2])
      expect(await answer(id)).toMatchObject({ error: { data: { error: { code: 'shutting_down' } } } })
    expect(provider.requests.map(({ call }) => call.signal.reason)).toEqual([STOPPING, STOPPING])
    expect(await server.ended).toBe('Switchboard is stopping')
    server.shutDown(STOPPING)
  })

  it('that does not read is given up before it costs too much memory', async () => {
    const provider = createProvider()
    const { gateway } = createHarness([provider])
    const input = new PassThrough()
    // Takes the first chunk and never the next.
    const output = new Writable({ write: () => {} })
    const server = serveStdio({ gateway, identity: IDENTITY, input, output, maxUnreadBytes: 10_000 })
    for (let id = 1; id <= 200; id++) {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: `unknown/${'x'.repeat(100)}` })}\n`)
    }
    expect(await server.ended).toMatch(/^it does not read: \d+ bytes wait for it$/)
  })
})
