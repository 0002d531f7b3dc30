import type { AskRequests, AskResponses, Call } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { createCall, createHarness, createTool, hold } from '../helpers/upstream-harness.ts'

const ASKING = { tools: [createTool('ask')], on: { 'tools/call': hold } }
const TWO_TOOLS = { tools: [createTool('ask'), createTool('quiet')], on: { 'tools/call': hold } }
const { caller } = createCall()

/** Is asked, and never answers. */
function createSilentPerson() {
  const asked: AskRequests[] = []
  const ask: NonNullable<Call['ask']> = (requests) => {
    asked.push(requests)
    return new Promise<AskResponses>(() => {})
  }
  return { asked, ask }
}

describe('a server that asks back', () => {
  it.each([
    ['is marked interactive', { interactive: true } as const, {}],
    ['was seen doing so before', {}, { asks: ['ask'] }],
  ])('is called by one agent at a time when it %s, and by each as often as it likes', async (_how, config, learned) => {
    const { start, settle, server, callTool, upstream } = createHarness({
      server: ASKING,
      config,
      learned: { era: 'legacy', ...learned },
    })
    await start()
    const calls = (): number => server.current.requests('tools/call').length
    for (const session of ['ann', 'ann', 'bob', 'ann', 'bob'])
      void callTool('ask', {}, { caller: { ...caller, session } }).catch(() => {})
    await settle()
    expect(calls()).toBe(2)
    expect(upstream.status()).toMatchObject({ inFlight: 2, queued: 3 })
    for (const { id } of server.current.requests('tools/call')) server.current.simulateResult(id, {})
    await settle()
    expect(calls(), 'the other one, whose second waits for the third of the first').toBe(3)
    server.current.simulateResult(server.current.requests('tools/call')[2]?.id ?? 'none', {})
    await settle()
    expect(calls()).toBe(4)
  })

  it('is called one by one by those whom nobody can tell apart', async () => {
    const { start, settle, server, callTool } = createHarness({ server: ASKING, config: { interactive: true } })
    await start()
    for (let index = 0; index < 3; index++) void callTool('ask').catch(() => {})
    await settle()
    expect(server.current.requests('tools/call')).toHaveLength(1)
  })

  it('keeps nobody from tools that were never seen asking', async () => {
    const { start, settle, server, callTool } = createHarness({
      server: TWO_TOOLS,
      learned: { era: 'legacy', asks: ['ask'] },
    })
    await start()
    const person = createSilentPerson()
    void callTool('ask', {}, { ask: person.ask, caller: { ...caller, session: 'ann' } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    for (const session of ['bob', 'cid', 'dan'])
      void callTool('quiet', {}, { caller: { ...caller, session } }).catch(() => {})
    await settle()
    expect(person.asked).toHaveLength(1)
    expect(server.current.requests('tools/call')).toHaveLength(4)
  })

  it('lets one that waited for a place wait for its turn, when it is seen asking meanwhile', async () => {
    const { start, settle, server, callTool, upstream } = createHarness({ server: ASKING, config: { concurrency: 1 } })
    await start()
    void callTool('ask', {}, { ask: createSilentPerson().ask, caller: { ...caller, session: 'ann' } }).catch(() => {})
    void callTool('ask', {}, { caller: { ...caller, session: 'bob' } }).catch(() => {})
    void callTool('ask', {}, { caller: { ...caller, session: 'cid' } }).catch(() => {})
    await settle()
    server.current.simulateQuestion(1, 'elicitation/create')
    await settle()
    expect(upstream.status()).toMatchObject({ asks: ['ask'], inFlight: 1, queued: 2 })
    for (let index = 0; index < 2; index++) {
      server.current.simulateResult(server.current.requests('tools/call')[index]?.id ?? 'none', {})
      await settle()
    }
    expect(server.current.requests('tools/call')).toHaveLength(3)
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
