import type { AskRequests, Call, JsonObject } from '@switchboard/protocol'
import { FakeClock, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { FakeProvider, prompt, resource, tool, untilAborted } from '../helpers/fake-provider.ts'
import {
  ANYBODY,
  askModern,
  createHarness,
  errorOf,
  type Harness,
  type HarnessOptions,
  resultOf,
} from '../helpers/gateway-harness.ts'

const NAME: AskRequests = { name: { method: 'elicitation/create', params: { message: 'Name?' } } }
const ROOTS: AskRequests = { roots: { method: 'roots/list' } }

type Work = (call: Call) => Promise<unknown>

function createAsking(work: Work, options: HarnessOptions = {}): Harness & { provider: FakeProvider } {
  const answer = async (_params: JsonObject, call: Call): Promise<JsonObject> => ({
    content: [],
    heard: await work(call),
  })
  const provider = new FakeProvider('p', {
    catalog: { tools: [tool('t'), tool('u')], resources: [resource('doc://x')], prompts: [prompt('q')] },
    answers: { 'tools/call': answer, 'resources/read': answer, 'prompts/get': answer },
  })
  return { provider, ...createHarness([provider], options) }
}

const askOnce: Work = (call) => call.ask?.(NAME) ?? Promise.reject(new Error('This call cannot ask'))

async function begin(gateway: Harness['gateway'], more: JsonObject = {}): Promise<{ keys: string[]; state: string }> {
  const result = await resultOf(askModern(gateway, 'tools/call', { name: 'p_t', ...more }))
  expect(result.resultType).toBe('input_required')
  return { keys: Object.keys(result.inputRequests as JsonObject), state: result.requestState as string }
}

function retry(state: string, inputResponses: JsonObject, more: JsonObject = {}): JsonObject {
  return { name: 'p_t', requestState: state, inputResponses, ...more }
}

describe('a call that asks', () => {
  it.each([
    ['tools/call', { name: 'p_t' }],
    ['resources/read', { uri: 'doc://x' }],
    ['prompts/get', { name: 'p_q' }],
  ])('of %s is answered with its question, and goes on with the answer', async (method, params) => {
    const { gateway, provider } = createAsking(askOnce)
    const question = await resultOf(askModern(gateway, method, params))
    expect(question).toMatchObject({ resultType: 'input_required', inputRequests: { user_answer: NAME.name } })
    expect(gateway.parkedCount).toBe(1)
    const again = {
      ...params,
      requestState: question.requestState,
      inputResponses: { user_answer: { action: 'accept' } },
    }
    expect(await resultOf(askModern(gateway, method, again))).toMatchObject({
      resultType: 'complete',
      heard: { name: { action: 'accept' } },
    })
    expect(provider.requests).toHaveLength(1)
    expect(gateway.parkedCount).toBe(0)
  })

  it('asks several things at once under keys of their own', async () => {
    const { gateway } = createAsking((call) => Promise.all([call.ask?.({ ...NAME, ...ROOTS }), call.ask?.(NAME)]))
    const { keys, state } = await begin(gateway)
    expect(keys).toEqual(['user_answer', 'client_roots', 'user_answer_2'])
    const responses = { user_answer: { n: 1 }, client_roots: { n: 2 }, user_answer_2: { n: 3 } }
    expect(await resultOf(askModern(gateway, 'tools/call', retry(state, responses)))).toMatchObject({
      heard: [{ name: { n: 1 }, roots: { n: 2 } }, { name: { n: 3 } }],
    })
  })

  it('asks one after the other over several rounds', async () => {
    const { gateway } = createAsking(async (call) => [await call.ask?.(NAME), await call.ask?.(ROOTS)])
    const first = await begin(gateway)
    const second = await resultOf(askModern(gateway, 'tools/call', retry(first.state, { user_answer: { n: 1 } })))
    expect(second).toMatchObject({ resultType: 'input_required', inputRequests: { client_roots: ROOTS.roots } })
    expect(second.requestState).not.toBe(first.state)
    const done = askModern(gateway, 'tools/call', retry(second.requestState as string, { client_roots: { n: 2 } }))
    expect(await resultOf(done)).toMatchObject({ heard: [{ name: { n: 1 } }, { roots: { n: 2 } }] })
  })

  it('gives no key twice, so that an answer of an earlier round is none to a later question', async () => {
    const { gateway } = createAsking(async (call) => [await call.ask?.(NAME), await call.ask?.(NAME)])
    const first = await begin(gateway)
    const earlier = { user_answer: { n: 1 } }
    const second = await resultOf(askModern(gateway, 'tools/call', retry(first.state, earlier)))
    expect(Object.keys(second.inputRequests as JsonObject)).toEqual(['user_answer_2'])
    const third = await resultOf(askModern(gateway, 'tools/call', retry(second.requestState as string, earlier)))
    expect(third).toMatchObject({ resultType: 'input_required', inputRequests: { user_answer_2: NAME.name } })
  })

  it('asks again for what was not answered', async () => {
    const { gateway } = createAsking((call) => Promise.all([call.ask?.(NAME), call.ask?.(ROOTS)]))
    const { state } = await begin(gateway)
    const second = await resultOf(
      askModern(
        gateway,
        'tools/call',
        retry(state, { client_roots: { n: 2 }, stranger: {}, user_answer: 'no object' }),
      ),
    )
    expect(second.inputRequests).toEqual({ user_answer: NAME.name })
    const third = await resultOf(askModern(gateway, 'tools/call', { name: 'p_t', requestState: second.requestState }))
    expect(third.inputRequests).toEqual({ user_answer: NAME.name })
    const done = askModern(gateway, 'tools/call', retry(third.requestState as string, { user_answer: { n: 1 } }))
    expect(await resultOf(done)).toMatchObject({ heard: [{ name: { n: 1 } }, { roots: { n: 2 } }] })
  })

  it('goes on when the server takes its question back; the retry gets what it came to', async () => {
    const taken = new AbortController()
    const { gateway } = createAsking(async (call) =>
      call.ask?.(NAME, { signal: taken.signal }).catch((error: Error) => [error.message]),
    )
    const { state } = await begin(gateway)
    taken.abort()
    expect(await resultOf(askModern(gateway, 'tools/call', retry(state, { user_answer: { n: 1 } })))).toMatchObject({
      heard: ['The server took its question back'],
    })
    expect(gateway.parkedCount).toBe(0)
  })

  it('speaks to the request that is there, in the words that it asked for', async () => {
    const { gateway } = createAsking(async (call) => {
      call.progress?.({ progress: 1 })
      await call.ask?.(NAME)
      call.progress?.({ progress: 2 })
      call.log?.({ level: 'info', data: 'x' })
      return 'done'
    })
    const first = askModern(
      gateway,
      'tools/call',
      { name: 'p_t', _meta: { progressToken: 'one' } },
      { logLevel: 'error' },
    )
    const { requestState } = await resultOf(first)
    const params = retry(requestState as string, { user_answer: {} }, { _meta: { progressToken: 'two' } })
    const second = askModern(gateway, 'tools/call', params, { logLevel: 'debug' })
    expect(await resultOf(second)).toMatchObject({ heard: 'done' })
    expect(first.notifications.map(({ params: said }) => said)).toEqual([{ progress: 1, progressToken: 'one' }])
    expect(second.notifications.map(({ params: said }) => said)).toEqual([
      { progress: 2, progressToken: 'two' },
      { level: 'info', data: 'x' },
    ])
  })

  it('that ends while it is parked gives its end to the retry', async () => {
    const gate = Promise.withResolvers<string>()
    const { gateway } = createAsking((call) => {
      void call.ask?.(NAME).catch(() => {})
      return gate.promise
    })
    const { state } = await begin(gateway)
    gate.resolve('could not wait')
    await new Promise((resolve) => setImmediate(resolve))
    expect(await resultOf(askModern(gateway, 'tools/call', retry(state, {})))).toMatchObject({
      heard: 'could not wait',
    })
  })
})

describe('the state of a parked call', () => {
  it('is good once', async () => {
    const { gateway } = createAsking(askOnce)
    const { state } = await begin(gateway)
    await resultOf(askModern(gateway, 'tools/call', retry(state, { user_answer: {} })))
    expect(await errorOf(askModern(gateway, 'tools/call', retry(state, { user_answer: {} })))).toMatchObject({
      code: -32602,
      data: { error: { code: 'input_expired' } },
    })
  })

  it('is long and random', async () => {
    const { gateway } = createAsking(askOnce)
    const states = new Set<string>()
    for (let call = 0; call < 20; call++) states.add((await begin(gateway)).state)
    expect(states.size).toBe(20)
    for (const state of states) expect(state).toMatch(/^sb1\.[A-Za-z0-9_-]{24}$/)
    gateway.close()
  })

  it.each([
    ['another credential', { ...ANYBODY, credential: 'eve' }, {}],
    ['another window', { ...ANYBODY, instance: 'eve0-000000' }, {}],
    ['another profile', { ...ANYBODY, profile: 'other' }, {}],
    ['another tool', ANYBODY, { name: 'p_u' }],
  ])('is no good for %s, and stays good for its own', async (_name, identity, more) => {
    const { gateway } = createAsking(askOnce, { profiles: [{ name: 'other' }] })
    const { state } = await begin(gateway)
    const stolen = askModern(gateway, 'tools/call', retry(state, { user_answer: { stolen: true } }, more), { identity })
    expect(await errorOf(stolen)).toMatchObject({ data: { error: { code: 'input_expired' } } })
    expect(await resultOf(askModern(gateway, 'tools/call', retry(state, { user_answer: { n: 1 } })))).toMatchObject({
      heard: { name: { n: 1 } },
    })
  })

  it('is no good for another method', async () => {
    const { gateway } = createAsking(askOnce)
    const { state } = await begin(gateway)
    const other = askModern(gateway, 'prompts/get', { name: 'p_t', requestState: state })
    expect(await errorOf(other)).toMatchObject({ data: { error: { code: 'input_expired' } } })
    gateway.close()
  })
})

describe('a parked call whose place another caller waits for', () => {
  const MINUTE = 60_000

  /** Somebody comes to wait when the test says so. */
  function createContended(work?: (ask: () => Promise<unknown>, call: Call) => Promise<unknown>) {
    const clock = new FakeClock()
    let since: number | undefined
    const waitedMs = () => (since === undefined ? 0 : clock.now() - since)
    const ask = (call: Call) => call.ask?.(NAME, { waitedMs }) ?? Promise.reject(new Error('This call cannot ask'))
    const harness = createAsking((call) => (work === undefined ? ask(call) : work(() => ask(call), call)), {
      clock,
      parkedTtl: 10 * MINUTE,
    })
    const { provider } = harness
    return {
      ...harness,
      clock,
      simulateWaiting: () => {
        since = clock.now()
      },
      signal: () => provider.requests[0]?.call.signal,
    }
  }

  /** What the server hears of its question. */
  const hear = async (ask: () => Promise<unknown>) => ask().catch((error: unknown) => String(error))

  it('waits on while nobody does', async () => {
    const { gateway, clock, signal } = createContended(hear)
    const { state } = await begin(gateway)
    await clock.advanceAsync(10 * MINUTE - 1)
    expect(signal()?.aborted).toBe(false)
    expect(
      await resultOf(askModern(gateway, 'tools/call', retry(state, { user_answer: { late: true } }))),
    ).toMatchObject({
      heard: { name: { late: true } },
    })
    expect(clock.pendingTimers()).toEqual([])
  })

  it('is declined what it asks 30 s after the other came, and its state is no good any more', async () => {
    const heard: unknown[] = []
    const { gateway, clock, signal, simulateWaiting } = createContended(async (ask) => heard.push(await hear(ask)))
    const { state } = await begin(gateway)
    await clock.advanceAsync(2 * MINUTE + 7)
    simulateWaiting()
    await clock.advanceAsync(29_999)
    expect(heard).toEqual([])
    await clock.advanceAsync(1)
    expect(heard).toEqual([expect.stringContaining('another caller has waited 30 s for its place')])
    expect(gateway.parkedCount).toBe(0)
    // It ended by itself: there is nothing left to cancel.
    await clock.advanceAsync(MINUTE)
    expect(signal()?.aborted).toBe(false)
    expect(clock.pendingTimers()).toEqual([])
    expect(await errorOf(askModern(gateway, 'tools/call', retry(state, { user_answer: {} })))).toMatchObject({
      data: { error: { code: 'input_expired' } },
    })
  })

  it('has its 30 s also when the other had been waiting for longer as it asked', async () => {
    const heard: unknown[] = []
    const { gateway, clock, simulateWaiting } = createContended(async (ask) => heard.push(await hear(ask)))
    simulateWaiting()
    await clock.advanceAsync(MINUTE)
    await begin(gateway)
    await clock.advanceAsync(29_999)
    expect(heard).toEqual([])
    await clock.advanceAsync(1)
    expect(heard).toHaveLength(1)
    gateway.close()
  })

  it('goes on when its answers come in time', async () => {
    const { gateway, clock, simulateWaiting } = createContended()
    const { state } = await begin(gateway)
    simulateWaiting()
    await clock.advanceAsync(29_999)
    expect(await resultOf(askModern(gateway, 'tools/call', retry(state, { user_answer: { n: 1 } })))).toMatchObject({
      heard: { name: { n: 1 } },
    })
    expect(clock.pendingTimers()).toEqual([])
  })

  it.each([
    ['does not end', async (ask: () => Promise<unknown>, call: Call) => [await hear(ask), await untilAborted(call)]],
    [
      'asks again and again',
      async (ask: () => Promise<unknown>, call: Call) => {
        while (!call.signal.aborted) {
          await hear(ask)
          await new Promise((resolve) => setImmediate(resolve))
        }
      },
    ],
  ])('is cancelled upstream when it %s though its questions are declined', async (_name, work) => {
    const { gateway, clock, signal, simulateWaiting } = createContended(work)
    await begin(gateway)
    simulateWaiting()
    await clock.advanceAsync(30_000)
    expect(gateway.parkedCount).toBe(0)
    expect(signal()?.aborted).toBe(false)
    await clock.advanceAsync(5_000)
    expect(signal()?.reason).toMatchObject({ code: 'input_expired' })
    expect(clock.pendingTimers()).toEqual([])
  })

  it('is cancelled at once when the gateway closes meanwhile', async () => {
    const { gateway, clock, signal, simulateWaiting } = createContended(async (ask, call) => [
      await hear(ask),
      await untilAborted(call),
    ])
    await begin(gateway)
    simulateWaiting()
    await clock.advanceAsync(30_000)
    gateway.close()
    expect(signal()?.reason).toMatchObject({ code: 'shutting_down' })
    expect(clock.pendingTimers()).toEqual([])
  })
})

describe('a call is cancelled upstream', () => {
  it('when nobody answers within its time', async () => {
    const { gateway, provider } = createAsking(askOnce, { parkedTtl: 1 })
    const { state } = await begin(gateway)
    const signal = provider.requests[0]?.call.signal
    await waitFor(() => signal?.aborted, { what: 'the end of the time' })
    expect(signal?.reason).toMatchObject({ code: 'cancelled', message: expect.stringContaining('Nobody answered') })
    expect(gateway.parkedCount).toBe(0)
    expect(await errorOf(askModern(gateway, 'tools/call', retry(state, { user_answer: {} })))).toMatchObject({
      data: { error: { code: 'input_expired' } },
    })
  })

  it('when its client is gone, before it asks or after', async () => {
    for (const work of [untilAborted, async (call: Call) => [await call.ask?.(NAME), await untilAborted(call)]]) {
      const { gateway, provider } = createAsking(work)
      const gone = new AbortController()
      const asks = work !== untilAborted
      const params = asks ? retry((await begin(gateway)).state, { user_answer: {} }) : { name: 'p_t' }
      const answer = askModern(gateway, 'tools/call', params, { signal: gone.signal })
      await new Promise((resolve) => setImmediate(resolve))
      gone.abort()
      expect(await errorOf(answer)).toMatchObject({ data: { error: { code: 'cancelled' } } })
      expect(provider.requests[0]?.call.signal.aborted).toBe(true)
      expect(gateway.parkedCount).toBe(0)
    }
  })

  it('when its client was gone from the start', async () => {
    const { gateway, provider } = createAsking(untilAborted)
    const answer = askModern(gateway, 'tools/call', { name: 'p_t' }, { signal: AbortSignal.abort() })
    expect(await errorOf(answer)).toMatchObject({ data: { error: { code: 'cancelled' } } })
    expect(provider.requests[0]?.call.signal.aborted).toBe(true)
  })

  it('and the exchange ends, even if the work does not heed the signal', async () => {
    const { gateway } = createAsking(() => new Promise(() => {}))
    const gone = new AbortController()
    const answer = askModern(gateway, 'tools/call', { name: 'p_t' }, { signal: gone.signal })
    gone.abort()
    expect(await errorOf(answer)).toMatchObject({ data: { error: { code: 'cancelled' } } })
  })

  it('but not when the client goes away after it was asked: then its time decides', async () => {
    const { gateway, provider } = createAsking(askOnce)
    const gone = new AbortController()
    const { requestState } = await resultOf(askModern(gateway, 'tools/call', { name: 'p_t' }, { signal: gone.signal }))
    gone.abort()
    expect(provider.requests[0]?.call.signal.aborted).toBe(false)
    const answered = askModern(gateway, 'tools/call', retry(requestState as string, { user_answer: { n: 1 } }))
    expect(await resultOf(answered)).toMatchObject({ heard: { name: { n: 1 } } })
  })

  it('when the gateway closes', async () => {
    const { gateway, provider } = createAsking(askOnce)
    await begin(gateway)
    gateway.close()
    expect(provider.requests[0]?.call.signal.reason).toMatchObject({ message: 'Switchboard is stopping' })
    expect(gateway.parkedCount).toBe(0)
  })
})

it('fifty callers at once each hear only their own answer', async () => {
  const { gateway } = createAsking(askOnce)
  const heard = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const identity = { ...ANYBODY, credential: `agent-${index}` }
      const { requestState } = await resultOf(askModern(gateway, 'tools/call', { name: 'p_t' }, { identity }))
      const params = retry(requestState as string, { user_answer: { index } })
      return (await resultOf(askModern(gateway, 'tools/call', params, { identity }))).heard
    }),
  )
  expect(heard).toEqual(Array.from({ length: 50 }, (_, index) => ({ name: { index } })))
})
