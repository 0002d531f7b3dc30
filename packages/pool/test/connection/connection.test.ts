import { SwitchboardError } from '@switchboard/protocol/errors'
import { FakeClock, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { Connection } from '../../src/connection/connection.ts'
import { EnvelopeFactory } from '../../src/connection/envelopes.ts'
import { FakeServer, type FakeServerScript } from '../helpers/fake-server.ts'
import { EXITED } from '../helpers/fake-transport.ts'
import { createCall, failureOf, hold } from '../helpers/upstream-harness.ts'

function createConnection(script: FakeServerScript = {}) {
  const clock = new FakeClock()
  const transport = new FakeServer(script).createTransport()
  const heard: unknown[] = []
  const envelopes = new EnvelopeFactory({ name: 'test', version: '1' }, { roots: {} })
  const connection = new Connection(transport, clock, envelopes, {
    onNotification: ({ method }, call) => heard.push([method, call?.id]),
    onQuestion: () => Promise.resolve({ answered: true }),
    onOutput: (stream, line) => heard.push([stream, line]),
    onRefused: ({ code }) => heard.push(['refused', code]),
    onBug: (thrown) => heard.push(['bug', String(thrown)]),
    onClosed: (info) => heard.push(['closed', info.message]),
  })
  connection.open()
  return { clock, transport, connection, heard }
}

describe('Connection', () => {
  it('matches answers to requests by id, in whatever order they come', async () => {
    const { connection, transport } = createConnection({ on: { m: hold } })
    const answers = [1, 2, 3].map((n) => connection.request('m', { n }, { timeout: 1000 }))
    for (const { id, params } of transport.requests('m').reverse()) transport.simulateResult(id, { n: params?.n })
    await expect(Promise.all(answers)).resolves.toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })

  it.each([
    ['a result of null', { result: null }, /result that is no object: null/],
    ['a list for a result', { result: [{ text: 'x' }] }, /no object: \[\{"text":"x"\}\]/],
    ['a text for a result', { result: 'x'.repeat(1_000) }, /no object: "x{99}…/],
    ['a text for an error', { error: 'it broke' }, /no numeric code: it broke/],
    ['an error without a code', { error: { message: 'it broke' } }, /no numeric code/],
    ['neither a result nor an error', {}, /neither a result nor an error/],
    ['both, and both null', { result: null, error: null }, /no object: null/],
  ])('fails the request at once that is answered with %s', async (_what, answer, message) => {
    const { connection, transport, heard } = createConnection({ on: { m: hold } })
    const failure = failureOf(connection.request('m', {}, { timeout: 60_000, call: createCall() }))
    transport.simulateMessage({ jsonrpc: '2.0', id: transport.requests('m')[0]?.id, ...answer })
    expect(await failure).toMatchObject({ code: 'bad_response', message: expect.stringMatching(message) })
    expect(connection.inFlight).toBe(0)
    expect(heard).toEqual([])
  })

  it('answers a question of the server under its own id, however many digits that has', async () => {
    const { transport } = createConnection()
    const id = 9007199254740993n
    transport.simulateMessage({ jsonrpc: '2.0', id, method: 'roots/list' })
    await waitFor(() => transport.sent.length > 0, { what: 'an answer' })
    expect(transport.sent).toMatchObject([{ message: { id, result: { answered: true } } }])
  })

  it('settles every request when the far side ends, after its owner was told (invariant 1)', async () => {
    const { connection, transport, heard } = createConnection({ on: { m: hold } })
    const ours = failureOf(connection.request('m', {}, { timeout: 1000 }))
    const theirs = failureOf(connection.request('m', {}, { timeout: 1000, call: createCall() }))
    transport.simulateExit({ ...EXITED, message: 'was killed' })
    expect(heard).toEqual([['closed', 'was killed']])
    expect(await ours).toMatchObject({ code: 'server_exited', executed: false })
    expect(await theirs).toMatchObject({ code: 'server_exited', executed: 'unknown' })
  })

  it('refuses what is asked after the end, and has sent nothing', async () => {
    const { connection, transport } = createConnection()
    transport.simulateExit()
    expect(await failureOf(connection.request('m', {}, { timeout: 1000 }))).toMatchObject({ executed: false })
    connection.notify('n')
    expect(transport.sent).toEqual([])
  })

  it('fails one request alone when the transport says so', async () => {
    const { connection, transport } = createConnection({ kind: 'http', on: { m: hold } })
    const broken = failureOf(connection.request('m', {}, { timeout: 1000 }))
    const other = connection.request('m', {}, { timeout: 1000 })
    const [first, second] = transport.requests('m')
    transport.simulateRequestFailed(first?.id ?? 'none', new SwitchboardError('bad_response', 'HTTP 500'))
    transport.simulateResult(second?.id ?? 'none', {})
    expect(await broken).toMatchObject({ code: 'bad_response' })
    await expect(other).resolves.toEqual({})
  })

  it('takes an error without an id for the request on whose stream it came', async () => {
    const { connection, transport } = createConnection({ kind: 'http', on: { m: hold } })
    const failure = failureOf(connection.request('m', {}, { timeout: 1000 }))
    const [request] = transport.requests('m')
    transport.simulateMessage({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'bad' } }, request?.id)
    expect(await failure).toMatchObject({ code: 'upstream_error', message: 'bad' })
  })

  it('drops and counts an error without an id that names nobody (invariant 3)', () => {
    const { connection, transport } = createConnection()
    transport.simulateMessage({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'parse' } })
    expect(connection.counters.droppedReplies).toBe(1)
  })

  it.each([[[]], ['text'], [null], [{ id: 1 }], [{ id: {}, method: 'x' }]])(
    'takes %j for output and not for the protocol',
    (message) => {
      const { connection, transport, heard } = createConnection()
      transport.simulateMessage(message)
      expect(connection.counters.strayOutput).toBe(1)
      expect(heard).toEqual([['stdout', JSON.stringify(message)]])
    },
  )

  it('does not take a server’s own request for the answer to one of ours with the same id', async () => {
    const { connection, transport, clock } = createConnection({ on: { m: hold } })
    const answer = connection.request('m', {}, { timeout: 1000 })
    const [request] = transport.requests('m')
    transport.simulateQuestion(request?.id ?? 'none', 'roots/list')
    await clock.advanceAsync(0)
    expect(transport.answerTo(request?.id ?? 'none')).toMatchObject({ result: { answered: true } })
    transport.simulateResult(request?.id ?? 'none', { mine: true })
    await expect(answer).resolves.toEqual({ mine: true })
  })

  it('never cancels initialize', () => {
    const { connection, transport, clock } = createConnection({ on: { initialize: hold } })
    connection.probeRequest('legacy', '2025-11-25', 'initialize', {}, 1000).catch(() => {})
    clock.advance(1000)
    expect(transport.notifications('notifications/cancelled')).toEqual([])
    expect(transport.abandoned).toEqual([])
  })

  it('sends nothing and hears nothing after it was closed by us', async () => {
    const { connection, transport, heard, clock } = createConnection({ on: { m: hold } })
    const aborter = new AbortController()
    const failure = failureOf(connection.request('m', {}, { timeout: 1000, signal: aborter.signal }))
    await connection.close({ manner: 'stop' })
    const { length } = transport.sent
    aborter.abort()
    clock.advance(5000)
    transport.simulateNotification('late')
    expect(await failure).toMatchObject({ code: 'shutting_down' })
    expect(transport.sent).toHaveLength(length)
    expect(heard).toEqual([])
  })

  it('puts the envelope of the modern era on every request and its headers on HTTP', async () => {
    const { connection, transport } = createConnection({ kind: 'http', era: 'modern', on: { m: () => ({}) } })
    connection.setProtocol('modern', '2026-07-28')
    await connection.request('m', { a: 1 }, { timeout: 1000 })
    const [sent] = transport.sent
    expect(sent?.message).toMatchObject({
      params: {
        a: 1,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': { roots: {} },
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        },
      },
    })
    expect(Object.keys(sent?.options?.headers ?? {}).map((name) => name.toLowerCase())).toContain('mcp-method')
  })

  it("tells a modern server the caller's own capabilities, name and log level", async () => {
    const { connection, transport } = createConnection({ era: 'modern', on: { m: () => ({}) } })
    connection.setProtocol('modern', '2026-07-28')
    const caller = {
      era: 'legacy',
      capabilities: { sampling: {} },
      clientInfo: { name: 'agent', version: '9' },
    } as const
    await connection.request('m', {}, { timeout: 1000, call: createCall({ caller, logLevel: 'debug' }) })
    await connection.request('m', {}, { timeout: 1000, call: createCall({ caller }) })
    const metas = transport.requests('m').map(({ params }) => params?._meta)
    expect(metas[0]).toMatchObject({
      'io.modelcontextprotocol/clientCapabilities': { sampling: {} },
      'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '9' },
      'io.modelcontextprotocol/logLevel': 'debug',
    })
    expect(metas[1]).not.toHaveProperty('io.modelcontextprotocol/logLevel')
  })

  it('adds nothing to a legacy request of our own', async () => {
    const { connection, transport } = createConnection()
    await connection.request('ping', {}, { timeout: 1000 })
    expect(transport.requests('ping')[0]?.params).toEqual({})
    expect(transport.sent[0]?.options).toBeUndefined()
  })
})
