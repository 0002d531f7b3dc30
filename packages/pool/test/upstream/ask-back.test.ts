import type { AskRequests, AskResponses, Call } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { GHOST_MS } from '../../src/connection/question-origin.ts'
import { createCall, createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

const ASKING = { tools: [createTool('ask')], on: { 'tools/call': hold } }

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
    expect(upstream.status().serialised).toBe(false)
    expect(logged('pool.ask')).toMatchObject([{ level: 'warn', data: { method: 'roots/list' } }])
  })

  it('is declined when several calls are in flight; nobody is asked, and from then on calls are made one by one', async () => {
    const { start, settle, server, callTool, upstream, cache } = createHarness({ server: ASKING })
    await start()
    const person = createPerson()
    for (let index = 0; index < 3; index++) void callTool('ask', {}, { ask: person.ask }).catch(() => {})
    await settle()
    server.current.simulateQuestion(9, 'elicitation/create')
    await settle()
    expect(person.asked).toEqual([])
    expect(server.current.answerTo(9)).toMatchObject({
      error: { message: expect.stringContaining('3 calls are in flight'), data: { code: 'ask_unattributable' } },
    })
    expect(upstream.status().serialised).toBe(true)
    expect(cache.learned.asksBack).toBe(true)
    void callTool('ask').catch(() => {})
    await settle()
    expect(upstream.status()).toMatchObject({ inFlight: 3, queued: 1 })
    for (const { id } of server.current.requests('tools/call').slice(0, 2)) server.current.simulateResult(id, {})
    await settle()
    expect(server.current.requests('tools/call')).toHaveLength(3)
  })

  it('is declined while a cancelled call may still be running, until that one answers late', async () => {
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
    expect(upstream.status().serialised).toBe(false)
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
    expect(upstream.status().serialised).toBe(false)
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
    expect(upstream.status().serialised).toBe(false)
  })

  it('that is a ping is answered at once, by us', async () => {
    const { start, server } = createHarness()
    await start()
    server.current.simulateQuestion('p', 'ping')
    expect(server.current.answerTo('p')).toEqual({ jsonrpc: '2.0', id: 'p', result: {} })
  })
})

describe('a server that asks back', () => {
  it.each([
    ['is marked interactive', { interactive: true } as const, {}],
    ['was seen doing so before', {}, { era: 'legacy', asksBack: true } as const],
  ])('has its calls made one by one when it %s', async (_how, config, learned) => {
    const { start, settle, server, callTool, upstream } = createHarness({
      server: ASKING,
      config,
      learned: { era: 'legacy', ...learned },
    })
    await start()
    for (let index = 0; index < 3; index++) void callTool('ask').catch(() => {})
    await settle()
    expect(server.current.requests('tools/call')).toHaveLength(1)
    expect(upstream.status()).toMatchObject({ serialised: true, inFlight: 1, queued: 2 })
  })

  it('lets whoever is asked know how long another caller has been waiting for the place of the call', async () => {
    const { start, settle, clock, server, callTool } = createHarness({ server: ASKING, config: { interactive: true } })
    await start()
    const { caller } = createCall()
    let readWaited: (() => number) | undefined
    const ask: NonNullable<Call['ask']> = (_requests, options) => {
      readWaited = options?.waitedMs
      return new Promise(() => {})
    }
    void callTool('ask', {}, { ask, caller: { ...caller, session: 'asked' } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    void callTool('ask', {}, { caller: { ...caller, session: 'asked' } }).catch(() => {})
    await clock.advanceAsync(1_000)
    expect(readWaited?.()).toBe(0)
    void callTool('ask', {}, { caller: { ...caller, session: 'another' } }).catch(() => {})
    await clock.advanceAsync(2_000)
    expect(readWaited?.()).toBe(2_000)
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
