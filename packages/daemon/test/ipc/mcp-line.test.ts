/** A person's end of an MCP line, against another end that is played by hand. */
import { once } from 'node:events'
import { type Duplex, duplexPair } from 'node:stream'
import { createSuccess, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { LineReader } from '@switchboard/protocol/framing'
import { afterEach, expect, test } from 'vitest'
import { McpLine, type McpLineOptions } from '../../src/ipc/mcp-line.ts'

/** The daemon's end: keeps what arrives, says what it is told to say. */
class Peer {
  readonly stream: Duplex
  readonly received: JsonObject[] = []
  /** What is answered by itself. */
  readonly answers: Record<string, JsonObject | undefined> = { initialize: { protocolVersion: '2025-11-25' } }
  #wake: () => void = () => undefined

  constructor(stream: Duplex) {
    this.stream = stream
    const reader = new LineReader(1 << 20, {
      onLine: (line) => this.#onMessage(JSON.parse(line.toString())),
      onOversized: () => undefined,
    })
    stream.on('data', (chunk: Buffer) => reader.push(chunk))
  }

  say(message: unknown): void {
    this.stream.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }

  /** The first message of that method. */
  async next(method: string): Promise<JsonObject> {
    for (;;) {
      const found = this.received.find((message) => message.method === method)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #onMessage(message: JsonObject): void {
    this.received.push(message)
    const answer = this.answers[String(message.method)]
    if (answer !== undefined) this.say(createSuccess(Number(message.id), answer))
    this.#wake()
  }
}

let open: McpLine | undefined
let peer: Peer
afterEach(async () => {
  peer.stream.end()
  await open?.close()
  open = undefined
})

const never = new AbortController().signal

async function openLine(options: Partial<McpLineOptions> = {}): Promise<McpLine> {
  const [ours, theirs] = duplexPair()
  peer = new Peer(theirs)
  const whole = { clientInfo: { name: 'test', version: '1' }, capabilities: {}, ask: async () => ({}), ...options }
  open = await McpLine.open(ours, whole, never)
  return open
}

const call = (line: McpLine, options = {}) => line.request('tools/call', { name: 't' }, options)

test('shakes hands, asks for log messages only when they are wanted, and says when it is ready', async () => {
  await openLine()
  await peer.next('notifications/initialized')
  expect(peer.received.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized'])
})

test('progress belongs to its request, and the answer settles it once', async () => {
  const line = await openLine()
  const seen: unknown[] = []
  const answer = call(line, { onProgress: (progress: unknown) => seen.push(progress) })
  const { id, params } = await peer.next('tools/call')
  expect(params).toMatchObject({ _meta: { progressToken: id } })
  const progress = (token: unknown) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: 1 },
  })
  peer.say(progress(id))
  peer.say(progress(999))
  peer.say(createSuccess(Number(id), { content: [] }))
  peer.say(createSuccess(Number(id), { content: ['late'] }))
  expect(await answer).toEqual({ content: [] })
  expect(seen).toEqual([{ progress: 1 }])
})

test('a call that is given up is cancelled over there, and whether it ran is unknown', async () => {
  const line = await openLine()
  const giveUp = new AbortController()
  const answer = call(line, { signal: giveUp.signal })
  const { id } = await peer.next('tools/call')
  giveUp.abort()
  await expect(answer).rejects.toMatchObject({ code: 'cancelled', executed: 'unknown' })
  expect((await peer.next('notifications/cancelled')).params).toMatchObject({ requestId: id })
})

test('a call given up before it was sent is not sent', async () => {
  const line = await openLine()
  await expect(call(line, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
    executed: false,
  })
  expect(peer.received.some(({ method }) => method === 'tools/call')).toBe(false)
})

test('a budget that is over cancels the call', async () => {
  const line = await openLine()
  await expect(call(line, { timeout: 1 })).rejects.toMatchObject({ code: 'timeout' })
  await peer.next('notifications/cancelled')
})

test('a question is answered; one that cannot be is refused with its code', async () => {
  await openLine({
    ask: async ({ answer }) => {
      if (answer?.method === 'roots/list') return { answer: { roots: [] } }
      throw new SwitchboardError('ask_unsupported', 'no model')
    },
  })
  peer.say({ jsonrpc: '2.0', id: 'q1', method: 'roots/list' })
  peer.say({ jsonrpc: '2.0', id: 'q2', method: 'sampling/createMessage', params: {} })
  peer.say({ jsonrpc: '2.0', id: 'q3', method: 'ping' })
  peer.say({ jsonrpc: '2.0', id: 'end', method: 'roots/list' })
  const answered = () => peer.received.filter(({ id }) => typeof id === 'string')
  while (answered().length < 4) await once(peer.stream, 'data')
  expect(answered()).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 'q1', result: { roots: [] } },
      expect.objectContaining({
        id: 'q2',
        error: expect.objectContaining({ message: 'no model. Use a client that supports it, or another tool.' }),
      }),
      { jsonrpc: '2.0', id: 'q3', result: {} },
    ]),
  )
})

test.each([
  ['ends', (stream: Duplex) => void stream.end()],
  ['says what is no message', (stream: Duplex) => void stream.write('what?\n')],
  ['says a list', (stream: Duplex) => void stream.write('[1]\n')],
])('a daemon that %s in the middle of a call fails it with daemon_restarted', async (_what, act) => {
  const line = await openLine()
  const answer = call(line)
  await peer.next('tools/call')
  act(peer.stream)
  await expect(answer).rejects.toMatchObject({ code: 'daemon_restarted', executed: 'unknown' })
  await expect(line.request('tools/list', {})).rejects.toMatchObject({ code: 'daemon_unavailable' })
})

test('a daemon that ends during the handshake cannot be used, and nothing has run', async () => {
  const [ours, theirs] = duplexPair()
  peer = new Peer(theirs)
  peer.answers.initialize = undefined
  const options = { clientInfo: { name: 'test', version: '1' }, capabilities: {}, ask: async () => ({}) }
  const opening = McpLine.open(ours, options, never)
  await peer.next('initialize')
  theirs.end()
  await expect(opening).rejects.toMatchObject({ code: 'daemon_unavailable', executed: false })
})
