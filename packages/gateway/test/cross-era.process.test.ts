/**
 * Agents of one era and a server of the other, which no conformance suite sees: whatever the protocol offers has to
 * arrive on the other side in that side's own words.
 */
import { join } from 'node:path'
import { McpPool } from '@switchboard/pool'
import {
  createLeakCheck,
  createTemporaryDirectory,
  type FixtureScript,
  fixtureCommand,
  readJournal,
  startRemoteFixture,
  waitFor,
  waitForJournal,
} from '@switchboard/testkit'
import type { Era } from '@switchboard/testkit/http'
import { answersOf, connectSdkAgent, type SdkAgent, type SdkAgentOptions } from '@switchboard/testkit/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from './helpers/start-gateway.ts'

const leaks = createLeakCheck()
beforeAll(() => leaks.begin())
afterAll(() => leaks.check())

const CLIENTS = { legacy: 'v1', modern: 'v2 pinned' } as const
const ANSWERS = answersOf('agent')
const COUNTER = 'fixture://counter'

/** Asks for a visit to a URL once, then answers: an error of the legacy era, a question of the modern one. */
const VISIT = { mode: 'url', message: 'Please sign in', url: 'https://example.com/sign-in' }
const ASKS_FOR_VISIT: Readonly<Record<Era, NonNullable<FixtureScript['on']>[string]>> = {
  legacy: {
    do: 'error',
    times: 1,
    error: {
      code: -32042,
      message: 'Sign in first',
      data: { elicitations: [{ ...VISIT, elicitationId: 'visit-1' }] },
    },
  },
  modern: {
    do: 'result',
    times: 1,
    result: {
      resultType: 'input_required',
      inputRequests: { visit: { method: 'elicitation/create', params: VISIT } },
      requestState: 'signing in',
    },
  },
}

const COMBINATIONS = [
  { agentEra: 'legacy', serverEra: 'modern', transport: 'stdio' },
  { agentEra: 'legacy', serverEra: 'modern', transport: 'http' },
  { agentEra: 'modern', serverEra: 'legacy', transport: 'stdio' },
  { agentEra: 'modern', serverEra: 'legacy', transport: 'http' },
] as const

describe.each(COMBINATIONS)(
  'a $agentEra agent with a $serverEra server over $transport',
  ({ agentEra, serverEra, transport }) => {
    const stack = new AsyncDisposableStack()
    let journal: string
    let url: string
    let agent: SdkAgent

    const connect = async (options?: SdkAgentOptions): Promise<SdkAgent> => {
      const connected = await connectSdkAgent(CLIENTS[agentEra], { transport: 'http', url }, options)
      stack.defer(() => connected.close())
      return connected
    }

    beforeAll(async () => {
      const directory = stack.use(await createTemporaryDirectory('cross-era'))
      journal = join(directory.path, 'journal.ndjson')
      const start = async (script: FixtureScript) =>
        transport === 'http'
          ? { type: 'http' as const, url: stack.use(await startRemoteFixture(script, 'http')).url }
          : fixtureCommand(script)
      const fx = await start({ era: serverEra, journal })
      const capabilities = { resources: null, prompts: null, completions: null, logging: null }
      const gate = await start({ era: serverEra, capabilities, on: { 'tools/call': ASKS_FOR_VISIT[serverEra] } })
      const pool = new McpPool({ mcpServers: { fx, gate } }, { timings: { eraProbeTimeout: 20_000 } })
      stack.defer(() => pool.close())
      pool.start()
      await pool.ready()
      expect(pool.status()).toMatchObject([
        { state: 'ready', era: serverEra },
        { state: 'ready', era: serverEra },
      ])
      url = stack.use(await startGateway(pool)).url
      agent = await connect()
    })

    afterAll(() => stack.disposeAsync())

    it('speaks its own revision, and the server is asked in its own', async () => {
      expect(agent.version).toBe(agentEra === 'legacy' ? '2025-11-25' : '2026-07-28')
      expect(agent.instructions()).toContain('A scripted server')
      expect(agent.serverCapabilities()).toMatchObject({ resources: { subscribe: true }, logging: {}, completions: {} })
      const { structuredContent } = await agent.call('fx_whoami')
      expect(structuredContent).toMatchObject({ era: serverEra })
    })

    it('lists and calls tools', async () => {
      expect(await agent.toolNames()).toEqual(expect.arrayContaining(['fx_echo', 'fx_add', 'fx_ask']))
      expect(await agent.call('fx_add', { a: 19, b: 23 })).toMatchObject({ structuredContent: { sum: 42 } })
      expect(await agent.call('fx_fail', { message: 'no' })).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'no' }],
      })
      await expect(
        agent.call('fx_rpc_error', { code: -32050, message: 'as asked', data: { seat: 7 } }),
      ).rejects.toMatchObject({
        code: -32050,
        message: expect.stringContaining('as asked'),
        data: expect.objectContaining({ seat: 7 }),
      })
    })

    it('lists and reads resources and those of templates', async () => {
      expect(await agent.resourceUris()).toEqual(['fixture://text', 'fixture://blob', COUNTER])
      expect(await agent.templates()).toEqual(['fixture://item/{id}'])
      expect(await agent.read('fixture://text')).toMatchObject({
        contents: [{ uri: 'fixture://text', text: 'The text of the fixture.' }],
      })
      expect(await agent.read('fixture://blob')).toMatchObject({ contents: [{ blob: 'AAECAw==' }] })
      expect(await agent.read('fixture://item/7')).toMatchObject({ contents: [{ text: '{"id":"7"}' }] })
    })

    it('learns that a resource does not exist, never by a code that its era has given up', async () => {
      await expect(agent.read('fixture://nothing')).rejects.toMatchObject({ code: -32602 })
    })

    it('lists and gets prompts, and has arguments completed', async () => {
      expect(await agent.promptNames()).toEqual(['fx_greet', 'fx_review'])
      expect(await agent.prompt('fx_greet', { name: 'Ada', language: 'french' })).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada in french.' } }],
      })
      const prompt = { type: 'ref/prompt', name: 'fx_greet' } as const
      expect(await agent.complete(prompt, { name: 'language', value: 'e' })).toEqual(['english', 'estonian'])
      const template = { type: 'ref/resource', uri: 'fixture://item/{id}' } as const
      expect(await agent.complete(template, { name: 'id', value: '1' })).toEqual(['1', '10'])
    })

    it('hears the progress of its call, in order', async () => {
      const steps: (number | undefined)[] = []
      const onprogress = ({ progress }: { progress: number }) => void steps.push(progress)
      await agent.call('fx_slow', { ms: 200, steps: 4 }, { onprogress })
      expect(steps).toEqual([1, 2, 3, 4])
    })

    it('hears the log messages that it asked for, and no others', async () => {
      await agent.call('fx_log', { level: 'debug', message: 'fine' }, { logLevel: 'debug' })
      await agent.call('fx_log', { level: 'info', message: 'too fine' }, { logLevel: 'error' })
      await agent.call('fx_log', { level: 'error', message: 'grave' }, { logLevel: 'error' })
      await waitFor(() => agent.logs.includes('grave'), { what: 'the last log message' })
      expect(agent.logs).toEqual(['fine', 'grave'])
    })

    it('hears of changed lists and of the resource it follows, until it no longer does', async () => {
      const follower = await connect()
      await follower.follow(COUNTER)
      await agent.call('fx_touch')
      await waitFor(() => follower.changes.includes(COUNTER), { what: 'the update of the resource' })
      await agent.call('fx_mutate_tools', { add: ['extra'] })
      await waitFor(() => follower.changes.includes('tools'), { what: 'the change of the list' })
      expect(await follower.toolNames()).toContain('fx_extra')
      await follower.unfollow()
      await agent.call('fx_touch')
      // Whatever would still come would come on the way to this answer.
      expect(await follower.call('fx_extra')).toMatchObject({ content: [{ text: 'extra' }] })
      expect(follower.changes.filter((change) => change === COUNTER)).toHaveLength(1)
    })

    it.each([
      { kind: 'sampling', method: 'sampling/createMessage', answer: ANSWERS.sampling },
      { kind: 'elicitation', method: 'elicitation/create', answer: ANSWERS.elicitation },
      { kind: 'roots', method: 'roots/list', answer: ANSWERS.roots },
    ])('answers a question for $kind', async ({ kind, method, answer }) => {
      const before = agent.asked.length
      const result = await agent.call('fx_ask', { kind, message: 'How many?' })
      expect(result).toMatchObject({ structuredContent: { answers: [answer] } })
      expect(agent.asked.slice(before).map((question) => question.method)).toEqual([method])
      if (kind !== 'roots') expect(JSON.stringify(agent.asked.at(-1)?.params)).toContain('How many?')
    })

    it('answers question after question of one call', async () => {
      const before = agent.asked.length
      const result = await agent.call('fx_ask_rounds', { rounds: 3, kind: 'elicitation' })
      expect(result).toMatchObject({
        structuredContent: { answers: [ANSWERS.elicitation, ANSWERS.elicitation, ANSWERS.elicitation] },
      })
      const messages = agent.asked.slice(before).map(({ params }) => params.message)
      expect(messages).toEqual(['question 1', 'question 2', 'question 3'])
    })

    it('is sent to a URL and then has its answer', async () => {
      const result = await agent.call('gate_echo', { text: 'signed in' })
      expect(result).toMatchObject({ content: [{ type: 'text', text: 'signed in' }] })
      expect(agent.asked.at(-1)).toMatchObject({ method: 'elicitation/create', params: VISIT })
      // The legacy era wants every visit to have an id, the modern one knows none.
      expect(typeof agent.asked.at(-1)?.params.elicitationId).toBe(agentEra === 'legacy' ? 'string' : 'undefined')
    })

    it('is not asked what it cannot be asked, and the call says so', async () => {
      const deaf = await connect({ capabilities: {} })
      const outcome = await deaf.call('fx_ask', { kind: 'elicitation' }).catch((error: Error) => error)
      expect(deaf.asked).toEqual([])
      expect(JSON.stringify(outcome instanceof Error ? outcome.message : outcome)).toMatch(/elicitation/)
      expect(outcome instanceof Error || outcome.isError === true).toBe(true)
    })

    it('leaves nothing of its own era in what the server received', async () => {
      const received = (await readJournal(journal)).flatMap(({ message }) => (message === undefined ? [] : [message]))
      expect(received.length).toBeGreaterThan(20)
      const isModern = (message: object): boolean => JSON.stringify(message).includes('io.modelcontextprotocol/')
      const calls = received.filter(({ method }) => method === 'tools/call')
      expect(calls.every((message) => isModern(message) === (serverEra === 'modern'))).toBe(true)
    })

    // The last one: for a while after it, a question of a legacy server might be the cancelled call's.
    it('cancels its call all the way to the server', async () => {
      const aborter = new AbortController()
      const call = agent.call('fx_slow', { ms: 60_000, steps: 600 }, { signal: aborter.signal })
      const received = await waitForJournal(
        journal,
        ({ event, message }) =>
          event === 'message' && message?.params?.name === 'slow' && JSON.stringify(message).includes('60000'),
      )
      aborter.abort(new Error('changed my mind'))
      await expect(call).rejects.toThrow()
      const heeded = await waitForJournal(journal, ({ event }) => event === 'heeded-cancel')
      expect(heeded).toMatchObject({ id: received.message?.id, tool: 'slow' })
    })
  },
)
