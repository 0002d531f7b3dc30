import { type AskResponses, type Call, type JsonObject, LEGACY_VERSIONS } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/incoming.ts'
import { FakeProvider, type Handler, resource, tool, untilAborted } from '../helpers/fake-provider.ts'
import { connectClient, createHarness, errorOf, openClient, resultOf, SERVER_INFO } from '../helpers/gateway-harness.ts'

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }

function createProvider(call: Handler): FakeProvider {
  return new FakeProvider('p', { catalog: { tools: [tool('t')] }, answers: { 'tools/call': call } })
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

describe('the handshake', () => {
  it.each(LEGACY_VERSIONS)('agrees on %s', async (protocolVersion) => {
    const { gateway } = createHarness([])
    const client = openClient(gateway)
    const result = await resultOf(client.request('initialize', { ...HELLO, protocolVersion }))
    expect(result).toEqual({
      protocolVersion,
      serverInfo: SERVER_INFO,
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
    })
    expect(client.session.version).toBe(protocolVersion)
  })

  it.each(['2026-07-28', '2024-10-07', '1.0', ''])(
    'answers the unknown version %j with the latest',
    async (version) => {
      const client = openClient(createHarness([]).gateway)
      const result = await resultOf(client.request('initialize', { ...HELLO, protocolVersion: version }))
      expect(result.protocolVersion).toBe('2025-11-25')
    },
  )

  it('passes instructions and the extensions of the servers behind', async () => {
    const p = new FakeProvider('p', {
      catalog: {
        instructions: 'Be kind.',
        capabilities: {
          experimental: { x: {} },
          tools: { vendor: 1 },
          extensions: { 'vendor.example/x': { on: true }, 'io.modelcontextprotocol/tasks': {} },
        },
      },
    })
    const client = openClient(createHarness([p]).gateway)
    const { instructions, capabilities } = await resultOf(client.request('initialize', HELLO))
    expect(instructions).toBe('Be kind.')
    expect(capabilities).toMatchObject({ experimental: { x: {} }, tools: { vendor: 1, listChanged: true } })
    // Its tasks are of the modern era, and nothing that a legacy client could be given.
    expect(capabilities).toHaveProperty('extensions', { 'vendor.example/x': { on: true } })
  })

  it.each([
    ['without parameters', undefined],
    ['without a version', { capabilities: {} }],
    ['with a version that is no text', { ...HELLO, protocolVersion: 7 }],
    ['with capabilities that are no object', { ...HELLO, capabilities: [] }],
    ['with a strange client', { ...HELLO, clientInfo: 'me' }],
    ['with parameters in a list', [HELLO]],
  ])('%s fails, and may be tried again', async (_name, params) => {
    const client = openClient(createHarness([]).gateway)
    expect(await errorOf(client.request('initialize', params))).toMatchObject({ code: -32602 })
    expect(await resultOf(client.request('initialize', HELLO))).toBeDefined()
  })

  it('for a profile that does not exist fails with its name', async () => {
    const client = openClient(createHarness([]).gateway, { identity: { profile: 'nowhere', transport: 'test' } })
    for (let round = 0; round < 2; round++) {
      expect(await errorOf(client.request('initialize', HELLO))).toMatchObject({
        data: { error: { code: 'unknown_profile' } },
      })
    }
    expect(await errorOf(client.request('tools/list'))).toMatchObject({ message: 'tools/list came before initialize' })
  })

  it('happens once', async () => {
    const client = await connectClient(createHarness([]).gateway)
    expect(await errorOf(client.request('initialize', HELLO))).toMatchObject({ code: -32600 })
    expect(await resultOf(client.request('tools/list'))).toEqual({ tools: [] })
  })

  it('comes first: before it only ping is answered', async () => {
    const p = createProvider(() => ({ content: [] }))
    const client = openClient(createHarness([p]).gateway)
    expect(await resultOf(client.request('ping'))).toEqual({})
    for (const method of ['tools/list', 'tools/call', 'logging/setLevel', 'nonsense'])
      expect(await errorOf(client.request(method, { name: 'p_t', level: 'debug' }))).toMatchObject({ code: -32600 })
    expect(p.requests).toEqual([])
  })
})

describe('requests', () => {
  it('run at the same time, and answer in the order in which they finish', async () => {
    const gates = new Map<unknown, PromiseWithResolvers<JsonObject>>()
    const p = createProvider(({ arguments: args }) => {
      const gate = Promise.withResolvers<JsonObject>()
      gates.set((args as JsonObject).n, gate)
      return gate.promise
    })
    const client = await connectClient(createHarness([p]).gateway)
    const first = client.request('tools/call', { name: 'p_t', arguments: { n: 1 } })
    const second = client.request('tools/call', { name: 'p_t', arguments: { n: 2 } })
    expect(client.session.inFlight).toBe(2)
    gates.get(2)?.resolve({ content: [], n: 2 })
    expect(await resultOf(second)).toEqual({ content: [], n: 2 })
    gates.get(1)?.resolve({ content: [], n: 1 })
    expect(await resultOf(first)).toEqual({ content: [], n: 1 })
    expect(client.session.inFlight).toBe(0)
  })

  it('with an id that is in use are refused, and the first one goes on', async () => {
    const gate = Promise.withResolvers<JsonObject>()
    const p = createProvider(() => gate.promise)
    const { session, channel } = await connectClient(createHarness([p]).gateway)
    const request = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'p_t' } }
    for (const _twice of [1, 2]) session.receive(judge(request))
    expect(await channel.answerTo(5)).toMatchObject({ error: { code: -32600, message: 'The id 5 is in use' } })
    gate.resolve({ content: [] })
    await channel.waitFor(({ id, result }) => id === 5 && result !== undefined)
    expect(p.requests).toHaveLength(1)
  })

  it('tell 5 from "5"', async () => {
    const p = createProvider(() => ({ content: [] }))
    const { session, channel } = await connectClient(createHarness([p]).gateway)
    for (const id of [5, '5', 0, '', -1.5])
      session.receive(judge({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'p_t' } }))
    for (const id of [5, '5', 0, '', -1.5])
      expect(await channel.answerTo(id)).toEqual({ jsonrpc: '2.0', id, result: { content: [] } })
  })

  it('of a batch are each answered; bad batches get one error', async () => {
    const { session, channel } = await connectClient(createHarness([]).gateway, { version: '2025-03-26' })
    session.receive(
      judge([
        { jsonrpc: '2.0', id: 1, method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/nothing' },
        { jsonrpc: '2.0', id: 2, method: 'tools/list' },
        7,
      ]),
    )
    expect(await channel.answerTo(1)).toMatchObject({ result: {} })
    expect(await channel.answerTo(2)).toMatchObject({ result: { tools: [] } })
    expect(await channel.answerTo(null)).toMatchObject({ error: { code: -32600 } })
    for (const bad of [[], [[{ jsonrpc: '2.0', id: 3, method: 'ping' }]], Array.from({ length: 101 }, () => 1)]) {
      const before = channel.sent.length
      session.receive(judge(bad))
      expect(channel.messages.slice(before)).toMatchObject([{ id: null, error: { code: -32600 } }])
    }
  })

  it.each([
    null,
    1,
    'text',
    true,
    {},
    { id: 1 },
    { id: null, method: 'ping' },
    { id: {}, method: 'ping' },
    { method: 5 },
  ])('that are no messages, such as %j, are told so', async (message) => {
    const { session, channel } = await connectClient(createHarness([]).gateway)
    const before = channel.sent.length
    session.receive(judge(message))
    const id = (message as { id?: unknown } | null)?.id === 1 ? 1 : null
    expect(channel.messages.slice(before)).toMatchObject([{ id, error: { code: -32600 } }])
    expect(await resultOf(connectedPing(session, channel))).toEqual({})
  })

  it('without parameters, or with wrong ones, are answered', async () => {
    const { session, channel } = await connectClient(createHarness([]).gateway)
    for (const [id, params] of [
      [1, undefined],
      [2, null],
      [3, [1]],
      [4, 'x'],
    ] as const) {
      session.receive(judge({ jsonrpc: '2.0', id, method: 'tools/list', params }))
      expect(await channel.answerTo(id)).toMatchObject({ result: { tools: [] } })
    }
  })
})

function connectedPing(
  session: { receive(message: unknown): void },
  channel: { answerTo(id: string): Promise<JsonObject> },
): Promise<JsonObject> {
  session.receive(judge({ jsonrpc: '2.0', id: 'alive', method: 'ping' }))
  return channel.answerTo('alive')
}

describe('a cancelled request', () => {
  it('is cancelled upstream with the reason, and gets no answer', async () => {
    const p = createProvider((_params, call) => untilAborted(call))
    const { session, channel, notify } = await connectClient(createHarness([p]).gateway)
    const begun = p.waitFor('tools/call')
    session.receive(judge({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'p_t' } }))
    const { call } = await begun
    notify('notifications/cancelled', { requestId: 'x', reason: 'too slow' })
    expect(call.signal.reason).toMatchObject({ code: 'cancelled', message: 'The client cancelled the call: too slow' })
    await settled()
    expect(channel.messages.filter(({ id }) => id === 'x')).toEqual([])
    expect(session.inFlight).toBe(0)
  })

  it('that finishes all the same gets no answer either', async () => {
    const gate = Promise.withResolvers<JsonObject>()
    const p = createProvider(() => gate.promise)
    const { session, channel, notify } = await connectClient(createHarness([p]).gateway)
    session.receive(judge({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'p_t' } }))
    notify('notifications/cancelled', { requestId: 'x' })
    gate.resolve({ content: [] })
    await settled()
    expect(channel.messages.filter(({ id }) => id === 'x')).toEqual([])
  })

  it('that is over, unknown or not named is ignored', async () => {
    const client = await connectClient(createHarness([createProvider(() => ({ content: [] }))]).gateway)
    await client.request('tools/call', { name: 'p_t' })
    for (const params of [{ requestId: 'c2' }, { requestId: 'none' }, { requestId: {} }, {}, undefined, null, 'x'])
      client.notify('notifications/cancelled', params)
    expect(await resultOf(client.request('tools/call', { name: 'p_t' }))).toEqual({ content: [] })
  })
})

describe('progress', () => {
  it('arrives in order, before the result, on the stream of its request, under the token of the client', async () => {
    const p = createProvider((_params, call) => {
      for (let progress = 1; progress <= 100; progress++)
        call.progress?.({ progress, total: 100, message: `${progress}` })
      return { content: [] }
    })
    const { channel, request } = await connectClient(createHarness([p]).gateway)
    for (const progressToken of ['tok', 7]) {
      const from = channel.sent.length
      await request('tools/call', { name: 'p_t', _meta: { progressToken } })
      const sent = channel.sent.slice(from)
      expect(sent.map(({ message }) => (message.params as JsonObject | undefined)?.progress ?? 'result')).toEqual([
        ...Array.from({ length: 100 }, (_, index) => index + 1),
        'result',
      ])
      expect(new Set(sent.map(({ relatedTo }) => relatedTo)).size).toBe(1)
      expect(sent[0]?.message.params).toEqual({ progressToken, progress: 1, total: 100, message: '1' })
    }
  })

  it('after the result, or without a token, goes nowhere', async () => {
    let late: Call['progress']
    const p = createProvider((_params, call) => {
      late = call.progress
      return { content: [] }
    })
    const { channel, request } = await connectClient(createHarness([p]).gateway)
    await request('tools/call', { name: 'p_t', _meta: { progressToken: 't' } })
    const before = channel.sent.length
    late?.({ progress: 1 })
    expect(channel.sent.length).toBe(before)
    for (const progressToken of [undefined, null, {}, true]) {
      await request('tools/call', { name: 'p_t', _meta: { progressToken } })
      expect(late).toBeUndefined()
    }
  })
})

describe('log messages', () => {
  const talkative = createProvider((_params, call) => {
    for (const level of ['debug', 'info', 'error', 'strange']) call.log?.({ level, logger: 'l', data: { level } })
    return { content: [], level: call.logLevel }
  })
  const levels = (messages: JsonObject[]): unknown[] =>
    messages
      .filter(({ method }) => method === 'notifications/message')
      .map(({ params }) => (params as JsonObject).level)

  it('are sent from the level that the session set, at first from info', async () => {
    const { channel, request } = await connectClient(createHarness([talkative]).gateway)
    for (const [level, heard] of [
      [undefined, ['info', 'error']],
      ['debug', ['debug', 'info', 'error']],
      ['critical', []],
    ] as const) {
      if (level !== undefined) expect(await resultOf(request('logging/setLevel', { level }))).toEqual({})
      const from = channel.sent.length
      expect(await resultOf(request('tools/call', { name: 'p_t' }))).toMatchObject({ level: level ?? 'info' })
      expect(levels(channel.messages.slice(from))).toEqual(heard)
    }
  })

  it('have levels by name only', async () => {
    const { request } = await connectClient(createHarness([talkative]).gateway)
    for (const level of [undefined, 'loud', 3, null])
      expect(await errorOf(request('logging/setLevel', { level }))).toMatchObject({ code: -32602 })
  })

  it('of one session do not follow the level of another; the servers are asked for the lowest', async () => {
    const asked: string[] = []
    const { gateway } = createHarness([talkative], { onLogLevel: (level) => asked.push(level) })
    const [one, two] = [await connectClient(gateway), await connectClient(gateway)]
    for (const level of ['error', 'warning', 'critical', 'debug', 'info'])
      await one.request('logging/setLevel', { level })
    // The other one never named a level, so that what it hears from `info` on must not be lost.
    expect(asked).toEqual(['info', 'debug'])
    await two.request('tools/call', { name: 'p_t' })
    expect(levels(two.channel.messages)).toEqual(['info', 'error'])
    expect(levels(one.channel.messages)).toEqual([])
  })
})

describe('questions', () => {
  const ask = (requests: Parameters<NonNullable<Call['ask']>>[0]): FakeProvider =>
    createProvider(async (_params, call) => ({ content: [], answers: (await call.ask?.(requests)) as AskResponses }))

  it('go to the client on the stream of the call, and their answers back', async () => {
    const p = ask({
      who: { method: 'elicitation/create', params: { message: 'Name?' } },
      where: { method: 'roots/list' },
    })
    const { session, channel, request } = await connectClient(createHarness([p]).gateway)
    const answer = request('tools/call', { name: 'p_t' })
    const who = await channel.question('elicitation/create')
    const where = await channel.question('roots/list')
    expect(who.params).toEqual({ message: 'Name?' })
    expect(channel.sent.find(({ message }) => message === who)?.relatedTo).toBe('c2')
    session.receive(judge({ jsonrpc: '2.0', id: where.id, result: { roots: [] } }))
    session.receive(judge({ jsonrpc: '2.0', id: who.id, result: { action: 'accept', content: { name: 'Ada' } } }))
    expect(await resultOf(answer)).toMatchObject({
      answers: { who: { action: 'accept', content: { name: 'Ada' } }, where: { roots: [] } },
    })
  })

  it.each([undefined, 'visit-1'])('for a visit to a URL have an id, also when the server gave %j', async (given) => {
    const visit = { mode: 'url', message: 'Sign in', url: 'https://example.com/' }
    const params = given === undefined ? visit : { ...visit, elicitationId: given }
    const { channel, request } = await connectClient(
      createHarness([ask({ q: { method: 'elicitation/create', params } })]).gateway,
    )
    void request('tools/call', { name: 'p_t' })
    const question = await channel.question('elicitation/create')
    expect(question.params).toEqual({ ...visit, elicitationId: given ?? expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  it('that the client refuses fail with its own error', async () => {
    const { session, channel, request } = await connectClient(
      createHarness([ask({ q: { method: 'roots/list' } })]).gateway,
    )
    const answer = request('tools/call', { name: 'p_t' })
    const { id } = await channel.question('roots/list')
    session.receive(judge({ jsonrpc: '2.0', id, error: { code: -1, message: 'User rejected' } }))
    expect(await errorOf(answer)).toEqual({ code: -1, message: 'User rejected' })
  })

  it('are answered once, and by nobody else', async () => {
    const { gateway } = createHarness([ask({ q: { method: 'roots/list' } })])
    const [one, other] = [await connectClient(gateway), await connectClient(gateway)]
    const answer = one.request('tools/call', { name: 'p_t' })
    const { id } = await one.channel.question('roots/list')
    other.session.receive(judge({ jsonrpc: '2.0', id, result: { roots: ['wrong'] } }))
    for (const wrong of [null, 99, 'sb-99', { id }])
      one.session.receive(judge({ jsonrpc: '2.0', id: wrong, error: { code: 1, message: 'x' } }))
    one.session.receive(judge({ jsonrpc: '2.0', id, result: { roots: ['right'] } }))
    one.session.receive(judge({ jsonrpc: '2.0', id, result: { roots: ['late'] } }))
    expect(await resultOf(answer)).toMatchObject({ answers: { q: { roots: ['right'] } } })
    expect(other.channel.messages.filter(({ method }) => method === 'roots/list')).toEqual([])
  })

  it('are withdrawn when their call is cancelled', async () => {
    const p = ask({ q: { method: 'roots/list' } })
    const { session, channel, notify } = await connectClient(createHarness([p]).gateway)
    session.receive(judge({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'p_t' } }))
    const { id } = await channel.question('roots/list')
    notify('notifications/cancelled', { requestId: 'x' })
    expect(channel.sent.at(-1)).toMatchObject({
      message: { method: 'notifications/cancelled', params: { requestId: id } },
      relatedTo: 'x',
    })
    await settled()
    expect(session.inFlight).toBe(0)
  })

  it('are withdrawn when the server takes them back, and only those', async () => {
    const taken = new AbortController()
    const p = createProvider(async (_params, call) => {
      const kept = call.ask?.({ q: { method: 'sampling/createMessage' } })
      const lost = call.ask?.({ q: { method: 'roots/list' } }, { signal: taken.signal })
      const error = await lost?.catch((thrown: unknown) => thrown)
      return { content: [], kept: await kept, why: String(error) }
    })
    const { session, channel, request } = await connectClient(createHarness([p]).gateway)
    const answer = request('tools/call', { name: 'p_t' })
    const { id } = await channel.question('roots/list')
    taken.abort(new SwitchboardError('cancelled', 'too late'))
    expect(channel.messages.filter(({ method }) => method === 'notifications/cancelled')).toMatchObject([
      { params: { requestId: id, reason: 'too late' } },
    ])
    session.receive(judge({ jsonrpc: '2.0', id, result: { roots: [] } }))
    const { id: other } = await channel.question('sampling/createMessage')
    session.receive(judge({ jsonrpc: '2.0', id: other, result: { model: 'm' } }))
    expect(await resultOf(answer)).toMatchObject({
      kept: { q: { model: 'm' } },
      why: expect.stringContaining('too late'),
    })
  })

  it('are withdrawn when their call ends without waiting for them', async () => {
    let outcome: Promise<unknown> | undefined
    const p = createProvider((_params, call) => {
      outcome = call.ask?.({ q: { method: 'roots/list' } }).catch((error: unknown) => error)
      throw new SwitchboardError('timeout', 'late')
    })
    const { channel, request } = await connectClient(createHarness([p]).gateway)
    await request('tools/call', { name: 'p_t' })
    expect(await outcome).toMatchObject({ code: 'cancelled' })
    const [question, withdrawn, result] = channel.messages.slice(-3)
    expect(withdrawn).toMatchObject({ method: 'notifications/cancelled', params: { requestId: question?.id } })
    expect(result).toMatchObject({ id: 'c2' })
  })
})

describe('closing', () => {
  it('cancels what runs, fails what is asked, and says nothing more', async () => {
    const gone: string[] = []
    const p = createProvider(async (_params, call) => {
      await call.ask?.({ q: { method: 'roots/list' } })
      return { content: [] }
    })
    const { gateway } = createHarness([p], { onCallerGone: (caller) => gone.push(caller) })
    const client = await connectClient(gateway, { id: 'session-1' })
    const begun = p.waitFor('tools/call')
    client.session.receive(judge({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'p_t' } }))
    const { call } = await begun
    await client.channel.question('roots/list')
    const before = client.channel.sent.length
    client.session.close('EOF')
    client.session.close('again')
    expect(call.signal.reason).toMatchObject({ code: 'cancelled', message: 'The client is gone: EOF' })
    await settled()
    client.session.receive(judge({ jsonrpc: '2.0', id: 'y', method: 'ping' }))
    client.session.notify('notifications/tools/list_changed')
    p.simulateCatalog({})
    await settled()
    expect(client.channel.sent.length).toBe(before)
    expect([client.session.closed, client.session.inFlight, gateway.sessionCount]).toEqual([true, 0, 0])
    expect(gone).toEqual(['session-1'])
  })

  it('makes later questions of a call fail', async () => {
    const gate = Promise.withResolvers<void>()
    const outcome = Promise.withResolvers<unknown>()
    const p = createProvider(async (_params, call) => {
      await gate.promise
      outcome.resolve(call.ask?.({ q: { method: 'roots/list' } }).catch((error: unknown) => error))
      return { content: [] }
    })
    const { session } = await connectClient(createHarness([p]).gateway)
    session.receive(judge({ jsonrpc: '2.0', id: 'x', method: 'tools/call', params: { name: 'p_t' } }))
    session.close('EOF')
    gate.resolve()
    expect(await outcome.promise).toMatchObject({ code: 'cancelled' })
  })

  it('happens to every session when the gateway closes', async () => {
    const p = createProvider((_params, call) => untilAborted(call))
    const { gateway } = createHarness([p])
    const clients = [await connectClient(gateway), await connectClient(gateway)]
    gateway.close()
    expect(clients.map(({ session }) => session.closed)).toEqual([true, true])
    expect(gateway.sessionCount).toBe(0)
  })
})

describe('announcements', () => {
  it('of changed lists go to sessions that are initialized', async () => {
    const p = new FakeProvider('p', { catalog: { resources: [resource('doc://x')] } })
    const { gateway } = createHarness([p])
    const [ready, opening] = [await connectClient(gateway), openClient(gateway)]
    await opening.request('initialize', HELLO)
    p.simulateCatalog({ tools: [tool('new')] }, ['tools', 'prompts'])
    const changes = (messages: JsonObject[]): unknown[] =>
      messages.map(({ method }) => method).filter((method) => String(method).endsWith('list_changed'))
    expect(changes(ready.channel.messages)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
    ])
    expect(changes(opening.channel.messages)).toEqual([])
    expect(ready.channel.sent.at(-1)?.relatedTo).toBeUndefined()
  })
})
