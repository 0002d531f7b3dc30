import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { createHarness, createTool, failureOf } from '../helpers/upstream-harness.ts'

const QUESTION = { method: 'elicitation/create', params: { message: 'Sure?' } }

function createModernHarness(onCall: (params: JsonObject) => JsonObject) {
  return createHarness({ server: { era: 'modern', tools: [createTool('ask')], on: { 'tools/call': onCall } } })
}

const askOnce = (params: JsonObject): JsonObject =>
  params.inputResponses === undefined
    ? { resultType: 'input_required', inputRequests: { a: QUESTION }, requestState: 'opaque' }
    : { content: [{ type: 'text', text: JSON.stringify(params.inputResponses) }] }

describe('a modern server that needs input', () => {
  it('is answered by asking a legacy caller and repeating the request with the answers and its state', async () => {
    const { start, server, callTool } = createModernHarness(askOnce)
    await start()
    const asked: unknown[] = []
    const result = await callTool(
      'ask',
      { x: 1 },
      {
        ask: (requests) => {
          asked.push(requests)
          return Promise.resolve({ a: { action: 'accept' } })
        },
      },
    )
    expect(asked).toEqual([{ a: QUESTION }])
    expect(result).toEqual({ content: [{ type: 'text', text: '{"a":{"action":"accept"}}' }] })
    const [first, second] = server.current.requests('tools/call')
    expect(second?.id).not.toBe(first?.id)
    expect(second?.params).toMatchObject({ name: 'ask', arguments: { x: 1 }, requestState: 'opaque' })
  })

  it('is passed through untouched to a modern caller', async () => {
    const { start, server, callTool } = createModernHarness(askOnce)
    await start()
    const result = await callTool('ask', {}, { caller: { era: 'modern', capabilities: {} } })
    expect(result).toEqual({ resultType: 'input_required', inputRequests: { a: QUESTION }, requestState: 'opaque' })
    expect(server.current.requests('tools/call')).toHaveLength(1)
  })

  it('gets the request again when it sent its state alone', async () => {
    let rounds = 0
    const { start, server, callTool } = createModernHarness(() =>
      ++rounds < 3 ? { resultType: 'input_required', requestState: `step ${rounds}` } : { content: [] },
    )
    await start()
    await expect(callTool('ask')).resolves.toEqual({ content: [] })
    const states = server.current.requests('tools/call').map(({ params }) => params?.requestState)
    expect(states).toEqual([undefined, 'step 1', 'step 2'])
  })

  it('never mixes the answers of two rounds', async () => {
    let rounds = 0
    const { start, server, callTool } = createModernHarness(() =>
      ++rounds < 3 ? { resultType: 'input_required', inputRequests: { [`q${rounds}`]: QUESTION } } : { content: [] },
    )
    await start()
    await callTool(
      'ask',
      {},
      {
        ask: (requests) => Promise.resolve(Object.fromEntries(Object.keys(requests).map((key) => [key, { key }]))),
      },
    )
    const answers = server.current.requests('tools/call').map(({ params }) => params?.inputResponses)
    expect(answers).toEqual([undefined, { q1: { key: 'q1' } }, { q2: { key: 'q2' } }])
  })

  it('may ask ten times and no more', async () => {
    const { start, server, callTool, upstream } = createModernHarness(() => ({
      resultType: 'input_required',
      requestState: 'again',
    }))
    await start()
    expect(await failureOf(callTool('ask'))).toMatchObject({ code: 'ask_rounds_exceeded' })
    expect(server.current.requests('tools/call')).toHaveLength(11)
    expect(upstream.status().inFlight).toBe(0)
  })

  it('is not asked on behalf of a caller that cannot answer', async () => {
    const { start, callTool } = createModernHarness(askOnce)
    await start()
    expect(await failureOf(callTool('ask'))).toMatchObject({ code: 'ask_unsupported' })
  })

  it('gets no answer where it is configured never to ask', async () => {
    const { start, server, callTool } = createHarness({
      server: { era: 'modern', on: { 'tools/call': askOnce } },
      config: { interactive: false },
    })
    await start()
    const error = await failureOf(callTool('ask', {}, { ask: () => Promise.resolve({ a: {} }) }))
    expect(error).toMatchObject({ code: 'ask_unsupported' })
    expect(server.current.requests('tools/call')).toMatchObject([
      { params: { _meta: { 'io.modelcontextprotocol/clientCapabilities': {} } } },
    ])
    const offered = server.current.requests('tools/call')[0]?.params?._meta
    expect(JSON.stringify(offered)).not.toContain('elicitation')
  })

  it('does not use up the budget of the call while the caller thinks', async () => {
    const { start, clock, server, callTool } = createModernHarness(askOnce)
    await start()
    const answer = Promise.withResolvers<{ a: JsonObject }>()
    const outcome = callTool('ask', {}, { timeout: 5000, ask: () => answer.promise })
    await clock.advanceAsync(600_000)
    expect(server.current.requests('tools/call')).toHaveLength(1)
    answer.resolve({ a: { action: 'accept' } })
    await expect(outcome).resolves.toMatchObject({ content: [{ type: 'text' }] })
  })

  it('gets nothing more when the caller cancels while it is asked', async () => {
    const { start, settle, server, callTool } = createModernHarness(askOnce)
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('ask', {}, { signal: aborter.signal, ask: () => new Promise(() => {}) }))
    await settle()
    aborter.abort()
    expect(await failure).toMatchObject({ code: 'cancelled' })
    expect(server.current.requests('tools/call')).toHaveLength(1)
  })

  it('is never read so in a legacy answer, whatever members that has', async () => {
    const odd = { resultType: 'input_required', requestState: 's', content: [] }
    const { start, callTool } = createHarness({ server: { on: { 'tools/call': () => odd } } })
    await start()
    await expect(callTool('any')).resolves.toEqual(odd)
  })
})
