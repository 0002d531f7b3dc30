/** A client that is killed in the middle of a call says nothing; its server is told all the same. */

import {
  type PipedProgram,
  programCommand,
  readJournal,
  startScript,
  textOfAnswer,
  waitFor,
} from '@switchboard/testkit'
import { connectAgent, ERAS } from '@switchboard/testkit/http'
import { beforeAll, describe, expect, it } from 'vitest'
import { isCallOf, isCancelOf, watchJournal } from './helpers/journal.ts'
import { readHealth, type ServeProcess, useWorkbench, type Workbench, waitUntilReady } from './helpers/workbench.ts'

const GRACE_MS = 250

describe('with switchboard serve', () => {
  const bench = useWorkbench({ per: 'suite' })
  let serve: ServeProcess

  beforeAll(async () => {
    serve = await bench.serve({ mcpServers: { fx: bench.fixture('fx') }, gateway: { resumeGrace: GRACE_MS } })
    await waitUntilReady(serve, ['fx'])
  })

  it.each([
    ['modern', '/mcp'],
    ['legacy', '/mcp'],
    ['websocket', '/ws'],
    ['sse', '/sse'],
  ])('tells the server of a %s client that was killed, and leaves nothing of it', async (transport, path) => {
    const journal = await watchJournal(bench.journal('fx'))
    const before = Number((await readHealth(serve)).sessions)
    const base = transport === 'websocket' ? serve.url.replace(/^http/, 'ws') : serve.url
    const client = startClient(bench, transport, `${base}${path}`)
    const call = await journal.waitFor(isCallOf('slow'))
    await kill(client)
    expect((await journal.waitFor(isCancelOf(call))).underWay).toBe(true)
    // A legacy HTTP session outlives its connections until it is idle for too long.
    const sessions = transport === 'legacy' ? before + 1 : before
    await waitFor(async () => {
      expect(await readHealth(serve)).toMatchObject({ inFlight: 0, sessions })
      return true
    })
  })

  it('waits for a legacy client that could take up its stream again, and tells the server after the grace', async () => {
    const journal = await watchJournal(bench.journal('fx'))
    const client = startClient(bench, 'legacy-streaming', serve.mcp)
    const call = await journal.waitFor(isCallOf('slow'))
    // From its first event on the client knows where to go on.
    await waitFor(() => client.out().includes('progress'), { what: 'progress to arrive' })
    await kill(client)
    const { reason } = await journal.waitFor(isCancelOf(call))
    expect(reason).toContain(`did not resume it within ${GRACE_MS / 1000} s`)
    await waitFor(async () => (await readHealth(serve)).inFlight === 0)
  })

  it.each(ERAS)('serves other agents of the %s era as if nothing had happened', async (era) => {
    const journal = await watchJournal(bench.journal('fx'))
    const agent = await connectAgent(era, serve.mcp)
    bench.defer(() => agent.close())
    const wanted = agent.call('fx_slow', { ms: 300, steps: 1 })
    const doomed = startClient(bench, 'modern', serve.mcp)
    const call = await journal.waitFor((entry) => isCallOf('slow')(entry) && JSON.stringify(entry).includes('120000'))
    await kill(doomed)
    await journal.waitFor(isCancelOf(call))
    expect(textOfAnswer(await wanted)).toBe('slept 300 ms')
    expect((await journal.entries()).filter(({ event }) => event === 'cancelled')).toHaveLength(1)
  })
})

describe('with switchboard mcp --standalone', () => {
  const bench = useWorkbench()

  it('tells the server of a stdio client that was killed, and ends everything', async () => {
    await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
    const { command, args } = programCommand(['--home', bench.home.path, 'mcp', '--standalone'], {
      home: bench.home.path,
    })
    const client = startClient(bench, 'stdio', JSON.stringify([command, ...args]))
    const journal = await watchJournal(bench.journal('fx'))
    const call = await journal.waitFor(isCallOf('slow'))
    await kill(client)
    await journal.waitFor(isCancelOf(call))
    await waitFor(async () => (await readJournal(bench.journal('fx'))).some(({ event }) => event === 'exit'))
    // That no process is left is checked after every test.
  })
})

function startClient(bench: Workbench, transport: string, target: string): PipedProgram {
  const client = startScript(new URL('./programs/calling-client.ts', import.meta.url), [transport, target, 'fx_slow'])
  // A test that fails before it kills its client leaves none behind either.
  bench.defer(() => client.child.kill('SIGKILL'))
  return client
}

async function kill(client: PipedProgram): Promise<void> {
  expect(client.err()).toBe('')
  client.child.kill('SIGKILL')
  expect(await client.ended).toBe('SIGKILL')
}
