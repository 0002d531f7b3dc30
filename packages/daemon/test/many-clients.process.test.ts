/** Many at once: clients that come and go, sessions with a call in flight each, and one that floods. */
import { descendantsOf, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { connectAgent, ERAS, type HttpAgent, textOf } from './helpers/http-agent.ts'
import { argumentsOf, watchJournal } from './helpers/journal.ts'
import { readHealth, useWorkbench, waitUntilReady } from './helpers/workbench.ts'

const SESSIONS = 1_000

describe('with switchboard serve', () => {
  const bench = useWorkbench()

  it('serves 50 clients of ten calls each, and keeps no process and no session of those that left', async () => {
    const serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx') } })
    await waitUntilReady(serve, ['fx'])
    const before = (await descendantsOf(serve.pid)).map(({ pid }) => pid)
    const clients = await Promise.all(
      Array.from({ length: 50 }, (_, index) => connectAgent(ERAS[index % 2] ?? 'legacy', serve.mcp)),
    )
    expect((await readHealth(serve)).sessions).toBe(25)
    const said = await Promise.all(
      clients.flatMap((client, from) =>
        Array.from({ length: 10 }, async (_, index) => {
          const text = `${from}/${index}`
          return textOf(await client.call('fx_echo', { text })) === text
        }),
      ),
    )
    expect(said.filter(Boolean)).toHaveLength(500)
    await Promise.all(clients.map((client) => client.close()))
    expect(await readHealth(serve)).toMatchObject({ sessions: 0, streams: 0, inFlight: 0 })
    expect((await descendantsOf(serve.pid)).map(({ pid }) => pid)).toEqual(before)
  })

  it('has 1,000 sessions with a call in flight each, and every one is answered with its own result', async () => {
    const fx = bench.fixture('fx', {}, { concurrency: 1_024 })
    const queued = bench.fixture('queued')
    const serve = await bench.serve({ mcpServers: { fx, queued } })
    await waitUntilReady(serve, ['fx', 'queued'])
    const agents = await connectMany(serve.mcp)
    bench.defer(() => closeAll(agents))
    expect((await readHealth(serve)).sessions).toBe(SESSIONS)

    // The tool answers nobody until all of them are there: proof that they were in flight together.
    const together = await Promise.all(
      agents.map((agent, index) =>
        agent.call('fx_reorder', { size: SESSIONS, group: 'all', text: `together ${index}` }),
      ),
    )
    expect(together.map(textOf)).toEqual(agents.map((_, index) => `together ${index}`))

    // The other lets 16 in at a time; whoever has to wait is served all the same.
    const inTurn = await Promise.all(
      agents.map((agent, index) => agent.call('queued_echo', { text: `in turn ${index}` })),
    )
    expect(inTurn.map(textOf)).toEqual(agents.map((_, index) => `in turn ${index}`))
  })
})

describe('a caller that floods a server', () => {
  const bench = useWorkbench()

  it('has to wait for its turn, so that another one goes on being served', async () => {
    const { mcp, switchboard } = await bench.open({
      mcpServers: { fx: bench.fixture('fx', {}, { concurrency: 1, timeout: '5m' }) },
    })
    const [flooder, polite] = await Promise.all([connectAgent('legacy', mcp), connectAgent('legacy', mcp)])
    bench.defer(() => polite.close())
    let isOver = false
    const flood = Array.from({ length: SESSIONS }, () =>
      // 5 ms each: long enough that the polite one's next call arrives in the meantime.
      flooder.call('fx_slow', { ms: 5, steps: 1 }).catch((error: unknown) => {
        if (!isOver) throw error
      }),
    )
    const queued = () => switchboard.status()[0]?.queued ?? 0
    await waitFor(() => queued() > SESSIONS * 0.9, { what: 'the flood to be in the queue' })

    const journal = await watchJournal(bench.journal('fx'))
    for (let call = 0; call < 10; call++) {
      const text = `polite ${call}`
      expect(textOf(await polite.call('fx_echo', { text }))).toBe(text)
      expect(queued()).toBeGreaterThan(SESSIONS / 2)
    }
    // Calls that wait take turns by caller: ten of the polite one's wait for about ten of the other's.
    const burst = await Promise.all(Array.from({ length: 10 }, () => polite.call('fx_echo', { text: 'burst' })))
    expect(burst.map(textOf)).toEqual(Array.from({ length: 10 }, () => 'burst'))
    const order = (await journal.entries()).filter(({ event }) => event === 'message').map(({ message }) => message)
    const positions = order.flatMap((message, index) => (JSON.stringify(message).includes('burst') ? [index] : []))
    const [first = 0] = positions
    expect(positions).toHaveLength(10)
    expect((positions.at(-1) ?? 0) - first).toBeLessThanOrEqual(2 * positions.length)
    expect(queued()).toBeGreaterThan(SESSIONS / 2)
    expect(argumentsOf(await journal.entries(), 'echo')).toHaveLength(20)

    isOver = true
    await flooder.close()
    await Promise.all(flood)
    await waitFor(() => queued() === 0, { what: 'the flood to be gone with its session' })
  })
})

/** A hundred at a time: the connections of a thousand at once would be refused by the system, not by us. */
async function connectMany(url: string): Promise<HttpAgent[]> {
  const agents: HttpAgent[] = []
  while (agents.length < SESSIONS) {
    agents.push(...(await Promise.all(Array.from({ length: 100 }, () => connectAgent('legacy', url)))))
  }
  return agents
}

async function closeAll(agents: readonly HttpAgent[]): Promise<void> {
  for (let from = 0; from < agents.length; from += 100) {
    await Promise.all(agents.slice(from, from + 100).map((agent) => agent.close()))
  }
}
