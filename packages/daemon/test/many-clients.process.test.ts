/** Many at once: clients that come and go, sessions with a call in flight each, and one that floods. */

import { TokenStore } from '@switchboard/gateway'
import { descendantsOf, readJournal, textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectAgent, ERAS, type HttpAgent } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
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
          return textOfAnswer(await client.call('fx_echo', { text })) === text
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
    expect(together.map(textOfAnswer)).toEqual(agents.map((_, index) => `together ${index}`))

    // The other lets 16 in at a time; whoever has to wait is served all the same.
    const inTurn = await Promise.all(
      agents.map((agent, index) => agent.call('queued_echo', { text: `in turn ${index}` })),
    )
    expect(inTurn.map(textOfAnswer)).toEqual(agents.map((_, index) => `in turn ${index}`))
  })
})

describe('a caller that floods a server', () => {
  const bench = useWorkbench()

  it.each(ERAS)('has to wait for its turn in the %s era, so that another one goes on being served', async (era) => {
    const { mcp, switchboard } = await bench.open({
      mcpServers: { fx: bench.fixture('fx', {}, { concurrency: 1, timeout: '5m' }) },
    })
    // A modern agent has no session: only its token tells that a thousand connections are those of one.
    const tokens = new TokenStore(bench.home.file('tokens.json'))
    const connect = async (name: string) => {
      const { text } = await tokens.create({ name })
      return connectAgent(era, mcp, { headers: { authorization: `Bearer ${text}` } })
    }
    const [flooder, polite] = [await connect('flooder'), await connect('polite')]
    bench.defer(() => polite.close())
    let left = 0
    const flood = Array.from({ length: SESSIONS }, async () => {
      left++
      // 5 ms each: long enough that the polite one's next call arrives in the meantime. At the end they are cut off.
      await flooder.call('fx_slow', { ms: 5, steps: 1 }).catch(() => {})
      left--
    })
    await waitFor(() => (switchboard.httpStats()?.inFlight ?? 0) > SESSIONS / 2, { what: 'the flood to be there' })

    for (let call = 0; call < 10; call++) {
      const text = `polite ${call}`
      expect(textOfAnswer(await polite.call('fx_echo', { text }))).toBe(text)
    }
    expect(left).toBeGreaterThan(SESSIONS / 2)

    // Calls that wait take turns by caller: ten of the polite one's wait for some of the other's, and never for all.
    const burst = await Promise.all(Array.from({ length: 10 }, () => polite.call('fx_echo', { text: 'burst' })))
    expect(burst.map(textOfAnswer)).toEqual(Array.from({ length: 10 }, () => 'burst'))
    expect(left).toBeGreaterThan(SESSIONS / 4)

    await flooder.close()
    await Promise.all(flood)
    await waitFor(() => switchboard.httpStats()?.inFlight === 0, { what: 'the flood to be gone with its client' })
    expect(switchboard.status()[0]).toMatchObject({ queued: 0 })
  })

  it.each(ERAS)(
    'whose calls all hang, in the %s era, leaves places of that server to one who uses it too',
    async (era) => {
      const { mcp, switchboard } = await bench.open({
        mcpServers: { fx: bench.fixture('fx', {}, { concurrency: 16 }) },
      })
      const tokens = new TokenStore(bench.home.file('tokens.json'))
      const connect = async (name: string) => {
        const { text } = await tokens.create({ name })
        return connectAgent(era, mcp, { headers: { authorization: `Bearer ${text}` } })
      }
      const [flooder, polite] = [await connect('flooder'), await connect('polite')]
      bench.defer(() => polite.close())
      expect(textOfAnswer(await polite.call('fx_echo', { text: 'first' }))).toBe('first')
      const flood = Array.from({ length: 100 }, () => flooder.call('fx_hang').catch(() => {}))
      const hanging = async () =>
        (await readJournal(bench.journal('fx'))).filter(({ message }) => message?.params?.name === 'hang').length
      await waitFor(() => switchboard.status()[0]?.queued === 92, { what: 'the flood to have its share, and no more' })
      for (let call = 0; call < 10; call++) {
        expect(textOfAnswer(await polite.call('fx_echo', { text: `alive ${call}` }))).toBe(`alive ${call}`)
      }
      expect(await hanging()).toBe(8)
      await flooder.close()
      await Promise.all(flood)
    },
  )

  it.each(ERAS)('whose calls all hang, in the %s era, keeps nobody from another server', async (era) => {
    const { mcp, switchboard } = await bench.open({
      mcpServers: { stuck: bench.fixture('stuck'), fx: bench.fixture('fx') },
    })
    const [flooder, polite] = await Promise.all([connectAgent(era, mcp), connectAgent(era, mcp)])
    bench.defer(() => polite.close())
    const flood = Array.from({ length: SESSIONS }, () => flooder.call('stuck_hang').catch(() => {}))
    await waitFor(() => (switchboard.httpStats()?.inFlight ?? 0) >= SESSIONS * 0.9, { what: 'the flood to be there' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => polite.call('fx_echo', { text: `alive ${index}` })),
    )
    expect(answers.map(textOfAnswer)).toEqual(answers.map((_, index) => `alive ${index}`))
    await flooder.close()
    await Promise.all(flood)
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
