/** Fifty agents on one shared server that asks back: each is asked its own questions, and nobody else's. */
import { connectSdkAgent, type SdkClient } from '@switchboard/testkit/sdk'
import { describe, expect, it } from 'vitest'
import { useWorkbench } from './helpers/workbench.ts'

const AGENTS = 50
const ROUNDS = 3
const CLIENTS: readonly SdkClient[] = ['v1', 'v2 auto', 'v2 legacy', 'v2 pinned']

describe.each(['legacy', 'modern'] as const)('fifty agents on one interactive server of the %s era', (era) => {
  const bench = useWorkbench()

  it('are each asked only what their own calls ask, and each call gets its own agent’s answer', async () => {
    const { url, switchboard } = await bench.open({
      mcpServers: { fx: bench.fixture('fx', { era }, { interactive: true, timeout: '5m' }) },
    })
    const target = { transport: 'http' as const, url: `${url}/mcp` }
    const agents = await Promise.all(
      Array.from({ length: AGENTS }, async (_, index) => {
        const name = `agent-${index}`
        return { name, agent: await connectSdkAgent(CLIENTS[index % CLIENTS.length] ?? 'v1', target, { name }) }
      }),
    )
    bench.defer(() => Promise.all(agents.map(({ agent }) => agent.close())))

    const results = await Promise.all(
      agents.map(async ({ name, agent }) => {
        const answers: unknown[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const kind = round % 2 === 0 ? 'elicitation' : 'sampling'
          answers.push((await agent.call('fx_ask', { kind, message: `${name} round ${round}` })).structuredContent)
        }
        return { name, asked: agent.questions, answered: JSON.stringify(answers) }
      }),
    )
    for (const { name, asked, answered } of results) {
      expect(asked).toEqual(Array.from({ length: ROUNDS }, (_, round) => `${name} round ${round}`))
      const named: string[] = answered.match(/agent-\d+/g) ?? []
      expect(named).toEqual(Array.from({ length: ROUNDS }, () => name))
    }
    expect(switchboard.status()[0]).toMatchObject({ inFlight: 0, queued: 0, restarts: 0 })
    expect(switchboard.gateway.parkedCount).toBe(0)
  })
})

describe('modern agents on a private server, where nothing but their connections tells them apart', () => {
  const bench = useWorkbench()

  it('share its one process, and are still asked nothing that another one’s call asks', async () => {
    const { mcp } = await bench.open({
      mcpServers: { fx: bench.fixture('fx', { era: 'legacy' }, { interactive: 'private', timeout: '5m' }) },
    })
    const target = { transport: 'http' as const, url: mcp }
    const agents = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const name = `agent-${index}`
        return { name, agent: await connectSdkAgent('v2 pinned', target, { name }) }
      }),
    )
    bench.defer(() => Promise.all(agents.map(({ agent }) => agent.close())))
    await Promise.all(
      agents.map(({ name, agent }) => agent.call('fx_ask', { kind: 'elicitation', message: `${name} together` })),
    )
    for (const { name, agent } of agents) {
      // Whether it was asked at all depends on who else was there; by whom does not.
      expect(agent.questions.filter((question) => !question.startsWith(`${name} `))).toEqual([])
      const alone = await agent.call('fx_ask', { kind: 'elicitation', message: `${name} alone` })
      expect(alone.structuredContent).toMatchObject({ answers: [{ content: { answer: `${name} elicited` } }] })
      expect(agent.questions.at(-1)).toBe(`${name} alone`)
    }
  })
})
