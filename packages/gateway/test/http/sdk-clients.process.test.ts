/** Every client of both SDKs, on every transport it speaks, with a server of either era behind the gateway. */
import type { McpPool } from '@switchboard/pool'
import { waitFor, waitForJournal } from '@switchboard/testkit'
import { answersOf, type SdkAgent } from '@switchboard/testkit/sdk'
import { describe, expect, it } from 'vitest'
import { AGENTS } from './support/agents.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const ERAS = ['legacy', 'modern'] as const

const COMBINATIONS = Object.entries(AGENTS).flatMap(([name, connect]) => ERAS.map((era) => ({ name, era, connect })))

async function open(era: 'legacy' | 'modern', connect: (url: string) => Promise<SdkAgent>) {
  const pool: McpPool = await bench.pool({ server: { era } })
  const { url, http } = await bench.openPool(pool)
  const agent = await connect(url)
  bench.defer(() => agent.close())
  return { agent, http }
}

describe.each(COMBINATIONS)('$name with a $era server', ({ era, connect }) => {
  it('lists, calls, reads and prompts', async () => {
    const { agent } = await open(era, connect)
    expect(await agent.toolNames()).toContain('server_add')
    expect(await agent.call('server_add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
    expect(await agent.read('fixture://text')).toMatchObject({ contents: [{ text: 'The text of the fixture.' }] })
    const prompt = await agent.prompt('server_review', { text: 'x' })
    expect(prompt.messages).toHaveLength(1)
    await expect(agent.call('server_ad', {})).rejects.toThrow('Unknown tool "server_ad". Did you mean "server_add"')
  })

  it('is asked for sampling, elicitation and roots', async () => {
    const { agent } = await open(era, connect)
    const answers = answersOf('agent')
    for (const kind of ['sampling', 'elicitation', 'roots'] as const) {
      const result = await agent.call('server_ask_rounds', { kind, rounds: 2 })
      expect(result.structuredContent).toMatchObject({ answers: [answers[kind], answers[kind]] })
    }
  })

  it('hears of progress, log messages, changes and updates', async () => {
    const { agent } = await open(era, connect)
    const steps: number[] = []
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress)
    // These clients lose what arrives in one piece with the result: the last, and on a busy machine all of them.
    await waitFor(async () => {
      steps.length = 0
      await agent.call('server_slow', { ms: 150, steps: 3 }, { onprogress })
      return steps.length > 0
    })
    expect([1, 2, 3].slice(0, steps.length)).toEqual(steps)
    await agent.follow('fixture://counter')
    const wanted = ['fixture://counter', 'tools']
    await waitFor(async () => {
      await agent.call('server_log', { level: 'debug', message: 'note' }, { logLevel: 'debug' })
      return agent.logs.includes('note')
    })
    await agent.call('server_touch')
    await agent.call('server_mutate_tools', { add: ['new_tool'] })
    await waitFor(() => wanted.every((item) => agent.changes.includes(item)), { what: `all of ${wanted.join(', ')}` })
    expect(await agent.toolNames()).toContain('server_new_tool')
  })

  it('cancels a call, which reaches the server', async () => {
    const { agent, http } = await open(era, connect)
    const controller = new AbortController()
    const call = agent.call('server_slow', { ms: 60_000 }, { signal: controller.signal })
    const isCall = ({ event, message }: { event: string; message?: { method?: string } }) =>
      event === 'message' && message?.method === 'tools/call'
    await waitForJournal(bench.journal('server'), isCall)
    controller.abort('enough')
    await expect(call).rejects.toThrow()
    await waitForJournal(bench.journal('server'), ({ event }) => event === 'heeded-cancel')
    await waitFor(() => http.stats().inFlight === 0)
  })
})

describe('the era that is agreed upon', () => {
  it.each([
    ['SDK 1 over Streamable HTTP', '2025-11-25'],
    ['SDK 2 in the legacy era', '2025-11-25'],
    ['SDK 2 in the era it finds', '2026-07-28'],
    ['SDK 2 pinned to the modern era', '2026-07-28'],
  ])('with %s is %s', async (name, version) => {
    const connect = AGENTS[name]
    const { agent } = await open('legacy', connect as (url: string) => Promise<SdkAgent>)
    expect(agent.version).toBe(version)
  })
})
