/** A server's questions reach the caller whose call they belong to, and nobody else, on every wire. */
import type { AskRequests, AskResponses } from '@switchboard/protocol'
import { catchRejection, isAlive, textOf } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { reachBy, WIRES } from './support/wires.ts'
import { dataOf, useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

const ANSWERS: Readonly<Record<string, Record<string, unknown>>> = {
  'sampling/createMessage': { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled' } },
  'elicitation/create': { action: 'accept', content: { answer: 'elicited' } },
  'roots/list': { roots: [{ uri: 'file:///a-root', name: 'a root' }] },
}

/** Answers everything, and remembers what was asked. */
class Agent {
  readonly questions: { method: string; params?: Record<string, unknown> | undefined }[] = []
  readonly #extra: Record<string, unknown>

  constructor(extra: Record<string, unknown> = {}) {
    this.#extra = extra
  }

  readonly ask = async (requests: AskRequests): Promise<AskResponses> => {
    const answers: Record<string, Record<string, unknown>> = {}
    for (const [key, { method, params }] of Object.entries(requests)) {
      this.questions.push({ method, params })
      answers[key] = { ...ANSWERS[method], ...this.#extra }
    }
    // Asked by a person, an answer takes a while: room for others to get in between.
    await new Promise((resolve) => setTimeout(resolve, 2))
    return answers
  }

  get messages(): unknown[] {
    return this.questions.map(({ params }) => params?.message)
  }
}

describe.each(WIRES)('over $wire', (wire) => {
  test('sampling, elicitation and roots are answered by the caller', async () => {
    const { pool } = bench.open({ mcpServers: { a: await reachBy(bench, wire, 'a') } })
    pool.start()
    await pool.ready()
    const agent = new Agent()
    const answers: unknown[] = []
    for (const kind of ['sampling', 'elicitation', 'roots']) {
      const result = await pool.call('a_ask', { kind, message: `a question of ${kind}` }, { ask: agent.ask })
      expect(result.isError).not.toBe(true)
      answers.push(JSON.parse(textOf(result))[0])
    }
    expect(agent.questions.map(({ method }) => method)).toEqual(Object.keys(ANSWERS))
    expect(answers).toEqual(Object.values(ANSWERS))
    expect(agent.questions[1]?.params?.message).toBe('a question of elicitation')
  })

  test('a call may ask several times', async () => {
    const { pool } = bench.open({ mcpServers: { a: await reachBy(bench, wire, 'a') } })
    pool.start()
    await pool.ready()
    const agent = new Agent()
    const result = await pool.call('a_ask_rounds', { rounds: 3, kind: 'elicitation' }, { ask: agent.ask })
    expect(agent.messages).toEqual(['question 1', 'question 2', 'question 3'])
    expect(JSON.parse(textOf(result))).toEqual(Array(3).fill(ANSWERS['elicitation/create']))
  })

  test('a caller who cannot be asked is not, and its call ends with a clear error', async () => {
    const { pool } = bench.open({ mcpServers: { a: await reachBy(bench, wire, 'a') } })
    pool.start()
    await pool.ready()
    const outcome = await pool.call('a_ask', { kind: 'elicitation' }).then(textOf, (error: Error) => error.message)
    expect(outcome).toMatch(/elicitation/)
    expect(textOf(await pool.call('a_echo', { text: 'on' }))).toBe('on')
  })
})

describe('50 callers at once on one shared server', () => {
  const callers = Array.from({ length: 50 }, (_, index) => `caller ${index}`)

  test('legacy stdio, interactive: true: each is asked its own question and no other', async () => {
    const { pool, status } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), interactive: true } } })
    pool.start()
    await pool.ready()
    const outcomes = await askAll(pool, callers)
    for (const [index, caller] of callers.entries()) {
      expect(outcomes[index]?.agent.messages).toEqual([caller])
      expect(outcomes[index]?.text).toContain(`answered by ${caller}.`)
    }
    expect(status('a').serialised).toBe(true)
    expect(await bench.entries('a', 'start')).toHaveLength(1)
  })

  test.each(WIRES.filter(({ type, era }) => type === 'http' || era === 'modern'))(
    '$wire, where a question names its call: all at the same time',
    async (wire) => {
      const { pool, status } = bench.open({ mcpServers: { a: await reachBy(bench, wire, 'a') } })
      pool.start()
      await pool.ready()
      const outcomes = await askAll(pool, callers)
      for (const [index, caller] of callers.entries()) {
        expect(outcomes[index]?.agent.messages).toEqual([caller])
        expect(outcomes[index]?.text).toContain(`answered by ${caller}.`)
      }
      expect(status('a').serialised).toBe(false)
    },
  )

  test('legacy stdio, auto: what cannot be attributed is declined, nothing crosses, and then they take turns', async () => {
    const { pool, status, logged } = bench.open({ mcpServers: { a: bench.stdio('a') } })
    pool.start()
    await pool.ready()
    const outcomes = await askAll(pool, callers)
    let declined = 0
    for (const [index, caller] of callers.entries()) {
      const { agent, text } = outcomes[index] ?? { agent: new Agent(), text: '' }
      const isAnswered = text.includes(`answered by ${caller}.`)
      expect(agent.messages).toEqual(isAnswered ? [caller] : [])
      if (isAnswered) continue
      expect(text).toContain('cannot be attributed')
      declined += 1
    }
    expect(declined).toBeGreaterThan(0)
    expect(logged('pool.ask').filter(({ level }) => level === 'warn')).toHaveLength(declined)
    expect(dataOf(logged('pool.ask').find(({ level }) => level === 'warn')).method).toBe('elicitation/create')

    // It was seen asking back: from here on it is called by one after the other, and everyone is answered.
    expect(status('a').asks).toEqual(['ask'])
    const again = await askAll(pool, callers.slice(0, 10))
    expect(again.map(({ agent }) => agent.messages)).toEqual(callers.slice(0, 10).map((caller) => [caller]))
  })
})

test('a call that was cancelled leaves no question to the next caller', async () => {
  const { pool, status } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), interactive: true } } })
  pool.start()
  await pool.ready()
  const asked = Promise.withResolvers<void>()
  const cancel = new AbortController()
  const first = catchRejection(
    pool.call(
      'a_ask_rounds',
      { rounds: 2, kind: 'elicitation' },
      {
        signal: cancel.signal,
        ask: () => {
          asked.resolve()
          return new Promise(() => {})
        },
      },
    ),
  )
  await asked.promise
  cancel.abort()
  expect((await first).code).toBe('cancelled')
  const other = new Agent()
  const result = await pool.call('a_echo', { text: 'mine' }, { ask: other.ask })
  expect(textOf(result)).toBe('mine')
  expect(other.questions).toEqual([])
  expect(status('a').restarts).toBe(0)
})

test('interactive: false offers no client features at all', async () => {
  const { pool } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), interactive: false } } })
  pool.start()
  await pool.ready()
  const agent = new Agent()
  const result = await pool.call('a_ask', { kind: 'sampling' }, { ask: agent.ask })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('does not declare sampling')
  expect(agent.questions).toEqual([])
})

describe('a private server', () => {
  test.each([{ how: { shared: false } }, { how: { interactive: 'private' as const } }])(
    'is one process for every instance, asked for by $how, and release ends it',
    async ({ how }) => {
      const { pool } = bench.open({ mcpServers: { a: { ...bench.stdio('a'), ...how, start: 'lazy' } } })
      const [one, two] = [{ instance: 'window-1' }, { instance: 'window-2' }]
      const [first, second, again] = await Promise.all(
        [one, two, one].map(async (caller) => Number(textOf(await pool.call('a_pid', {}, { caller })))),
      )
      expect(first).not.toBe(second)
      expect(again).toBe(first)
      expect(pool.status().map(({ owner }) => owner)).toEqual(['window-1', 'window-2'])

      // Both ask at the same time, and each hears its own.
      const agents = await askAll(pool, ['window-1', 'window-2'], (instance) => ({ caller: { instance } }))
      expect(agents.map(({ agent }) => agent.messages)).toEqual([['window-1'], ['window-2']])

      await pool.release('window-1')
      expect(await isAlive(first ?? 0)).toBe(false)
      expect(await isAlive(second ?? 0)).toBe(true)
      expect(pool.status().map(({ owner }) => owner)).toEqual(['window-2'])
      expect(await bench.entries('a', 'start')).toHaveLength(2)
    },
  )
})

interface Outcome {
  readonly agent: Agent
  readonly text: string
}

/** Everyone calls at once with an agent of their own, whose answer names it. */
function askAll(
  pool: ReturnType<typeof bench.open>['pool'],
  callers: readonly string[],
  more: (caller: string) => object = () => ({}),
): Promise<Outcome[]> {
  return Promise.all(
    callers.map(async (caller) => {
      const agent = new Agent({ content: { answer: `answered by ${caller}.` } })
      const options = { ask: agent.ask, ...more(caller) }
      const result = await pool.call('a_ask', { kind: 'elicitation', message: caller }, options)
      return { agent, text: textOf(result) }
    }),
  )
}
