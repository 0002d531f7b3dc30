import type { AskRequests, AskResponses, Call } from '@switchboard/protocol'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { GHOST_MS } from '../../src/connection/question-origin.ts'
import { createCall, createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

const ASKING = { tools: [createTool('ask')], on: { 'tools/call': hold } }

const TWO_TOOLS = { tools: [createTool('ask'), createTool('quiet')], on: { 'tools/call': hold } }
const { caller } = createCall()

/** A caller that is asked something and answers when the test says so. */
function createPerson() {
  const asked: AskRequests[] = []
  const answers: ((responses: AskResponses) => void)[] = []
  const ask: NonNullable<Call['ask']> = (requests) => {
    asked.push(requests)
    return new Promise((resolve) => answers.push(resolve))
  }
  return { asked, ask, answer: (index: number, responses: AskResponses) => answers[index]?.(responses) }
}

describe("a legacy server's question", () => {
  it('goes to the one call in flight, and its answer back to the server', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    const outcome = callTool('ask', {}, { ask: person.ask })
    await settle()
    server.current.simulateQuestion('q1', 'elicitation/create', { message: 'Which branch?' })
    await settle()
    expect(person.asked).toEqual([{ q1: { method: 'elicitation/create', params: { message: 'Which branch?' } } }])
    person.answer(0, { q1: { action: 'accept', content: { branch: 'main' } } })
    await settle()
    expect(server.current.answerTo('q1')).toMatchObject({ result: { action: 'accept', content: { branch: 'main' } } })
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', { content: [] })
    await expect(outcome).resolves.toEqual({ content: [] })
  })

  it('goes to the one call in flight also while the log level is being set', async () => {
    const on = { 'tools/call': hold, 'logging/setLevel': hold }
    const { start, settle, server, callTool, upstream } = createHarness({ server: { ...ASKING, on } })
    await start()
    const person = createPerson()
    void upstream.request('logging/setLevel', { level: 'debug' }, createCall()).catch(() => {})
    void callTool('ask', {}, { ask: person.ask }).catch(() => {})
    await settle()
    expect(server.current.requests('logging/setLevel')).toHaveLength(1)
    server.current.simulateQuestion('q1', 'elicitation/create', { message: 'Which branch?' })
    await settle()
    expect(person.asked).toHaveLength(1)
  })

  it('that it takes back is taken back from whom it was passed on to, and gets no answer', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    let signal: AbortSignal | undefined
    const ask: NonNullable<Call['ask']> = (_requests, options) => {
      signal = options?.signal
      return new Promise(() => {})
    }
    void callTool('ask', {}, { ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion('q1', 'elicitation/create', { message: 'Which branch?' })
    await settle()
    for (const requestId of ['q2', null, {}])
      server.current.simulateNotification('notifications/cancelled', { requestId })
    expect(signal?.aborted).toBe(false)
    server.current.simulateNotification('notifications/cancelled', { requestId: 'q1', reason: 'nobody came' })
    await settle()
    expect(String(signal?.reason)).toContain('took its question back: nobody came')
    expect(server.current.answerTo('q1')).toBeUndefined()
    server.current.simulateQuestion('q1', 'elicitation/create', { message: 'Again?' })
    await settle()
    expect(signal?.aborted).toBe(false)
  })

  it('is declined when no call is in flight, and does not make a server interactive', async () => {
    const { start, settle, server, upstream, logged } = createHarness({ server: ASKING })
    await start()
    server.current.simulateQuestion(9, 'roots/list')
    await settle()
    expect(server.current.answerTo(9)).toMatchObject({ error: { data: { code: 'ask_unattributable' } } })
    expect(upstream.status().asks).toBeUndefined()
    expect(logged('pool.ask')).toMatchObject([{ level: 'warn', data: { method: 'roots/list' } }])
  })

  it('is declined when all calls in flight may have asked it; nobody is asked, and from then on they take turns', async () => {
    const { start, settle, server, callTool, upstream, cache } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    for (const session of ['ann', 'bob'])
      void callTool('ask', {}, { ask: person.ask, caller: { ...caller, session } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(9, 'elicitation/create')
    await settle()
    expect(server.current.answerTo(9)).toBeUndefined()
    server.current.simulateQuestion(10, 'elicitation/create')
    await settle()
    expect(person.asked).toEqual([])
    for (const id of [9, 10])
      expect(server.current.answerTo(id)).toMatchObject({
        error: { message: expect.stringContaining('2 calls of several agents'), data: { code: 'ask_unattributable' } },
      })
    expect(upstream.status().asks).toEqual(['ask'])
    expect(cache.learned.asks).toEqual(['ask'])
    for (const { id } of server.current.requests('tools/call')) server.current.simulateResult(id, {})
    for (const session of ['ann', 'ann', 'bob'])
      void callTool('ask', {}, { caller: { ...caller, session } }).catch(() => {})
    await settle()
    expect(upstream.status()).toMatchObject({ inFlight: 2, queued: 1 })
  })

  it('goes to the agent whose calls are left when those of all others have ended', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: TWO_TOOLS })
    await start()
    const [ann, bob] = [createPerson(), createPerson()]
    void callTool('quiet', {}, { ask: ann.ask, caller: { ...caller, session: 'ann' } }).catch(() => {})
    void callTool('ask', {}, { ask: bob.ask, caller: { ...caller, session: 'bob' } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect([ann.asked, bob.asked, server.current.answerTo(1)]).toEqual([[], [], undefined])
    expect(upstream.status().asks).toBeUndefined()
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', {})
    await settle()
    expect([ann.asked.length, bob.asked.length]).toEqual([0, 1])
    expect(upstream.status().asks).toEqual(['ask'])
  })

  it('goes to the agent of several calls, through the one that is known to ask', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({
      server: TWO_TOOLS,
      learned: { era: 'legacy', asks: ['ask'] },
    })
    await start()
    const people = [createPerson(), createPerson(), createPerson()]
    for (const [index, tool] of ['quiet', 'ask', 'quiet'].entries())
      void callTool(tool, {}, { ask: people[index]?.ask, caller: { ...caller, session: 'ann' } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(people.map(({ asked }) => asked.length)).toEqual([0, 1, 0])
    expect(upstream.status().asks, 'the other is not taken for one that asks').toEqual(['ask'])
  })

  it('is asked again through another call of the agent when the first is over without an answer', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const people = [createPerson(), createPerson()]
    const aborter = new AbortController()
    const { signal } = new AbortController()
    for (const [index, { ask }] of people.entries()) {
      const own = index === 0 ? signal : aborter.signal
      void callTool('ask', {}, { ask, signal: own, caller: { ...caller, session: 'ann' } }).catch(() => {})
    }
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(people.map(({ asked }) => asked.length)).toEqual([0, 1])
    aborter.abort()
    await settle()
    expect(people.map(({ asked }) => asked.length)).toEqual([1, 1])
    people[0]?.answer(0, { 1: { action: 'accept' } })
    await settle()
    expect(server.current.answerTo(1)).toMatchObject({ result: { action: 'accept' } })
  })

  it('is declined while a cancelled call of another agent may still be running, until that one answers late', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    const aborter = new AbortController()
    const cancelled = failureOf(callTool('ask', {}, { signal: aborter.signal, ask: person.ask }))
    await settle()
    aborter.abort()
    await cancelled
    void callTool('ask', {}, { ask: person.ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(person.asked).toEqual([])
    expect(server.current.answerTo(1)).toMatchObject({ error: { data: { code: 'ask_unattributable' } } })
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', {})
    server.current.simulateQuestion(2, 'elicitation/create')
    await settle()
    expect(person.asked).toHaveLength(1)
  })

  it('is passed on at once after a cancelled call of the same agent', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    const ann = { ...caller, session: 'ann' }
    const aborter = new AbortController()
    const cancelled = failureOf(callTool('ask', {}, { signal: aborter.signal, ask: person.ask, caller: ann }))
    await settle()
    aborter.abort()
    await cancelled
    void callTool('ask', {}, { ask: person.ask, caller: ann }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(person.asked).toHaveLength(1)
  })

  it('is attributed again once a cancelled call had its time to end', async () => {
    const { start, settle, clock, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    const timedOut = failureOf(callTool('ask', {}, { timeout: 1000 }))
    await clock.advanceAsync(1000)
    await timedOut
    void callTool('ask', {}, { ask: person.ask }).catch(() => {})
    await clock.advanceAsync(GHOST_MS - 1)
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(person.asked).toEqual([])
    await clock.advanceAsync(1)
    server.current.simulateQuestion(2, 'elicitation/create')
    await settle()
    expect(person.asked).toHaveLength(1)
  })

  it('is declined when its caller cannot be asked that, with the method named', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const { ask, asked } = createPerson()
    void callTool('ask', {}, { ask, caller: { era: 'legacy', capabilities: { sampling: {} } } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(asked).toEqual([])
    await settle()
    expect(server.current.answerTo(1)).toMatchObject({
      error: { code: -32601, message: expect.stringContaining('elicitation/create') },
    })
  })

  it('is declined as an unknown method when it is none that a client knows', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: ASKING })
    await start()
    void callTool('ask', {}, { ask: createPerson().ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'tasks/launch')
    await settle()
    expect(server.current.answerTo(1)).toMatchObject({ error: { code: -32601, data: { code: 'unknown_method' } } })
    expect(upstream.status().asks).toBeUndefined()
  })

  it('is declined where the server may never ask, and it is told so in the handshake', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING, config: { interactive: false } })
    await start()
    expect(server.current.requests('initialize')[0]?.params).toMatchObject({ capabilities: {} })
    const { ask, asked } = createPerson()
    void callTool('ask', {}, { ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(asked).toEqual([])
    expect(server.current.answerTo(1)).toMatchObject({ error: { data: { code: 'ask_unsupported' } } })
  })

  it('is answered with the error that the agent answered with', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const ask = () => Promise.reject(new Error('the window was closed'))
    void callTool('ask', {}, { ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'sampling/createMessage')
    await settle()
    expect(server.current.answerTo(1)).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('the window was closed') },
    })
  })

  it('is given up when the call it belongs to is cancelled', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const aborter = new AbortController()
    const failure = failureOf(callTool('ask', {}, { ask: createPerson().ask, signal: aborter.signal }))
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    aborter.abort()
    await failure
    await settle()
    expect(server.current.answerTo(1)).toMatchObject({ error: { data: { code: 'cancelled' } } })
  })

  it('is attributed on HTTP by the stream it came on, however many calls are in flight', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: { ...ASKING, kind: 'http' } })
    await start()
    const people = [createPerson(), createPerson()]
    for (const { ask } of people) void callTool('ask', {}, { ask }).catch(() => {})
    await settle()
    const [, second] = server.current.requests('tools/call')
    server.current.simulateQuestion(1, 'elicitation/create', {}, second?.id)
    await settle()
    expect(people.map(({ asked }) => asked.length)).toEqual([0, 1])
    expect(upstream.status().asks).toBeUndefined()
    server.current.simulateQuestion(2, 'elicitation/create', {}, 'a stream of a call that is over')
    await settle()
    expect(server.current.answerTo(2)).toMatchObject({ error: { data: { code: 'ask_unattributable' } } })
  })

  it('goes to the owner of a connection that serves one caller only, in a call or not', async () => {
    const { ask, asked, answer } = createPerson()
    const owner = createCall({ ask })
    const { start, settle, server, callTool, upstream } = createHarness({ server: ASKING, owner: () => owner })
    await start()
    server.current.simulateQuestion(1, 'roots/list')
    await settle()
    expect(asked).toHaveLength(1)
    answer(0, { 1: { roots: [] } })
    await settle()
    expect(server.current.answerTo(1)).toMatchObject({ result: { roots: [] } })
    for (let index = 0; index < 2; index++) void callTool('ask', {}, { ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion(2, 'roots/list')
    await settle()
    expect(asked).toHaveLength(2)
    expect(upstream.status().asks).toBeUndefined()
  })

  it('that is a ping is answered at once, by us', async () => {
    const { start, server } = createHarness()
    await start()
    server.current.simulateQuestion('p', 'ping')
    expect(server.current.answerTo('p')).toEqual({ jsonrpc: '2.0', id: 'p', result: {} })
  })
})

describe('the budget of a call', () => {
  it('stands still while its caller is asked', async () => {
    const { start, settle, clock, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    const failure = failureOf(callTool('ask', {}, { timeout: 5000, ask: person.ask }))
    await clock.advanceAsync(2000)
    server.current.simulateQuestion(1, 'elicitation/create')
    await clock.advanceAsync(300_000)
    expect(server.current.notifications('notifications/cancelled')).toEqual([])
    person.answer(0, { 1: { action: 'decline' } })
    await settle()
    await clock.advanceAsync(2999)
    expect(server.current.notifications('notifications/cancelled')).toEqual([])
    await clock.advanceAsync(1)
    expect(await failure).toMatchObject({ code: 'timeout' })
  })

  it('stands still until the last of several questions at once is answered', async () => {
    const { start, settle, clock, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    const outcome = callTool('ask', {}, { timeout: 5000, ask: person.ask })
    outcome.catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    server.current.simulateQuestion(2, 'roots/list')
    await settle()
    person.answer(1, { 2: { roots: [] } })
    await clock.advanceAsync(60_000)
    expect(server.current.notifications('notifications/cancelled')).toEqual([])
    person.answer(0, { 1: { action: 'accept' } })
    await settle()
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', { content: [] })
    await expect(outcome).resolves.toEqual({ content: [] })
  })
})

describe('a question that its caller cannot answer', () => {
  const SAMPLING_ONLY = { capabilities: { sampling: {} } }

  it('is declined, and a modern caller is told what it lacks where the call then fails', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const outcome = callTool('ask', {}, { caller: { era: 'modern', capabilities: {} }, ask: createPerson().ask })
    await settle()
    server.current.simulateQuestion('s', 'sampling/createMessage', {})
    await waitFor(() => server.current.answerTo('s'))
    expect(server.current.answerTo('s')).toMatchObject({ error: { data: { code: 'ask_unsupported' } } })
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', {
      content: [],
      isError: true,
    })
    const error = await failureOf(outcome)
    expect(error).toMatchObject({ code: 'ask_unsupported', details: { requiredCapabilities: { sampling: {} } } })
  })

  it.each(['a result', 'a legacy caller'])('changes nothing for %s', async (what) => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const era = what === 'a result' ? 'modern' : 'legacy'
    const outcome = callTool('ask', {}, { caller: { era, capabilities: {} }, ask: createPerson().ask })
    await settle()
    server.current.simulateQuestion('s', 'sampling/createMessage', {})
    await waitFor(() => server.current.answerTo('s'))
    const result = { content: [], isError: what !== 'a result' }
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', result)
    expect(await outcome).toEqual(result)
  })

  it.each([
    ['before', ['elicitation/create', 'sampling/createMessage']],
    ['after', ['sampling/createMessage', 'elicitation/create']],
  ])('is declined when those that it can answer are answered, though it was asked %s them', async (_, methods) => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    void callTool('ask', {}, { caller: { era: 'modern', ...SAMPLING_ONLY }, ask: person.ask }).catch(() => {})
    await settle()
    for (const method of methods) server.current.simulateQuestion(method, method, {})
    await waitFor(() => person.asked.length === 1)
    await settle()
    expect(server.current.answerTo('elicitation/create')).toBeUndefined()
    person.answer(0, { 'sampling/createMessage': { role: 'assistant' } })
    await waitFor(() => server.current.answerTo('elicitation/create'))
    expect(server.current.answerTo('sampling/createMessage')).toMatchObject({ result: { role: 'assistant' } })
    expect(server.current.answerTo('elicitation/create')).toMatchObject({ error: { code: -32601 } })
  })
})

describe('a question that may be of two agents', () => {
  const MODERN = { era: 'modern', lane: 'connection:1', capabilities: { elicitation: {} } } as const

  it('is heard of by the one that is being asked, waits for it, and then has its answer', async () => {
    const { start, settle, clock, server, callTool } = createHarness({ server: ASKING })
    await start()
    let waitedMs: (() => number) | undefined
    const away = callTool(
      'ask',
      {},
      {
        caller: MODERN,
        ask: (_requests, options) => {
          waitedMs = options?.waitedMs
          return new Promise(() => {})
        },
      },
    )
    await settle()
    server.current.simulateQuestion('first', 'elicitation/create', {})
    await waitFor(() => waitedMs !== undefined)
    expect(waitedMs?.()).toBe(0)
    const person = createPerson()
    void callTool('other', {}, { caller: MODERN, ask: person.ask }).catch(() => {})
    await settle()
    // Two at once: also then there is somebody to wait for.
    server.current.simulateQuestion('second', 'elicitation/create', {})
    server.current.simulateQuestion('third', 'elicitation/create', {})
    await clock.advanceAsync(1000)
    expect(waitedMs?.()).toBe(1000)
    expect(person.asked).toEqual([])
    server.current.simulateResult(server.current.requests('tools/call')[0]?.id ?? 'none', { content: [] })
    await away
    await waitFor(() => person.asked.length === 2)
    expect(server.current.answerTo('second')).toBeUndefined()
  })
})
