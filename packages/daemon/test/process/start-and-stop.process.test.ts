/** The two ends of a run: servers that do not come up hold nobody up, and nothing is left behind at the end. */

import { pack } from '@switchboard/pack-switchboard'
import { expectNoProcessLeft, findByMarker, textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectAgent, ERAS, failureOf } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { isCallOf, watchJournal } from '../helpers/journal.ts'
import { type ServeProcess, useWorkbench, waitUntilReady } from '../helpers/workbench.ts'

describe('one server that cannot start and one that never says a word', () => {
  const bench = useWorkbench()

  it.each(ERAS)('do not keep the good ones from agents of the %s era', async (era) => {
    const serve = await bench.serve({
      mcpServers: {
        bad: { command: 'switchboard-no-such-command' },
        mute: bench.fixture('mute', { on: { initialize: { do: 'silent' }, 'server/discover': { do: 'silent' } } }),
        good: bench.fixture('good'),
        fine: bench.fixture('fine', { era: 'modern' }),
      },
    })
    // The endpoint is open before any server is up; the good ones follow while the mute one is still waited for.
    const agent = await connectAgent(era, serve.mcp)
    bench.defer(() => agent.close())
    await waitUntilReady(serve, ['good', 'fine'])
    expect(textOfAnswer(await agent.call('good_echo', { text: 'one' }))).toBe('one')
    expect(textOfAnswer(await agent.call('fine_echo', { text: 'two' }))).toBe('two')
    const ofServers = (await agent.toolNames()).filter((name) => !pack.tools.some((own) => own.name === name))
    expect(new Set(ofServers.map((name) => name.split('_')[0]))).toEqual(new Set(['good', 'fine']))
    expect(await readStates(serve)).toMatchObject({ mute: 'starting', good: 'ready', fine: 'ready' })
    expect((await readStates(serve)).bad).toBe('not_installed')
  })
})

describe('SIGTERM', () => {
  const bench = useWorkbench()
  const stubborn = { ignoreSignals: true, ignoreEof: true, grandchild: { ignoreSigterm: true, holdPipes: true } }

  it('ends serve cleanly although a server ignores every polite way to end, and leaves nothing', async () => {
    const serve = await bench.serve({
      mcpServers: { stubborn: bench.fixture('stubborn', stubborn), calm: bench.fixture('calm') },
    })
    await waitUntilReady(serve, ['stubborn', 'calm'])
    expect((await findByMarker(bench.marker)).length).toBe(3)
    expect(await serve.stop('SIGTERM')).toBe(0)
    await expectNoProcessLeft(bench.marker, 0)
    expect(serve.err()).toBe('')
  })

  it('lets a call that is under way finish', async () => {
    const serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx') } }, ['--drain', '20s'])
    await waitUntilReady(serve, ['fx'])
    const journal = await watchJournal(bench.journal('fx'))
    const agents = await Promise.all(ERAS.map((era) => connectAgent(era, serve.mcp)))
    const calls = agents.map((agent) => agent.call('fx_slow', { ms: 1_000, steps: 1 }))
    await waitFor(async () => (await journal.entries()).filter(isCallOf('slow')).length === calls.length)
    const ended = serve.stop('SIGTERM')
    expect((await Promise.all(calls)).map(textOfAnswer)).toEqual(['slept 1000 ms', 'slept 1000 ms'])
    expect(await ended).toBe(0)
  })

  it('cancels what does not finish in time, and says so to its agent', async () => {
    const serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx') } }, ['--drain', '100ms'])
    await waitUntilReady(serve, ['fx'])
    const journal = await watchJournal(bench.journal('fx'))
    const agents = await Promise.all(ERAS.map((era) => connectAgent(era, serve.mcp)))
    const calls = agents.map((agent) => agent.call('fx_slow', { ms: 120_000, steps: 1 }))
    await waitFor(async () => (await journal.entries()).filter(isCallOf('slow')).length === calls.length)
    const ended = serve.stop('SIGTERM')
    for (const answer of await Promise.all(calls)) {
      const told = 'error' in answer.message ? JSON.stringify(answer.error) : JSON.stringify(failureOf(answer))
      expect(told).toContain('shutting_down')
    }
    expect(await ended).toBe(0)
    expect((await journal.entries()).filter(({ event }) => event === 'cancelled')).toHaveLength(2)
  })

  it('does not wait any longer when it comes a second time', async () => {
    const serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx') } }, ['--drain', '10m'])
    await waitUntilReady(serve, ['fx'])
    const journal = await watchJournal(bench.journal('fx'))
    const agent = await connectAgent('modern', serve.mcp)
    const call = agent.call('fx_hang').then(
      () => 'answered',
      () => 'cut off',
    )
    await journal.waitFor(isCallOf('hang'))
    serve.child.kill('SIGTERM')
    await waitFor(() => isRefusing(serve), { what: 'it to refuse' })
    expect(await serve.stop('SIGTERM')).toBe(0)
    expect(['answered', 'cut off']).toContain(await call)
  })
})

/** Nobody listens any more, or an open connection is told that this is the end. */
async function isRefusing({ url }: ServeProcess): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined)
  await response?.text().catch(() => '')
  return response === undefined || response.status === 503
}

async function readStates({ url }: ServeProcess): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/readyz`)
  const { providers } = (await response.json()) as { providers: Record<string, unknown> }
  return providers
}
