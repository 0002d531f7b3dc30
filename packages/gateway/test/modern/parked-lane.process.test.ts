/** A legacy server that asks runs one call at a time: an agent that never answers must not keep it from all others. */
import { join } from 'node:path'
import { McpPool } from '@switchboard/pool'
import type { JsonObject } from '@switchboard/protocol'
import { createLeakCheck, createTemporaryDirectory, fixtureCommand, readJournal, waitFor } from '@switchboard/testkit'
import { type Answer, connectAgent, type Era } from '@switchboard/testkit/http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startGateway } from '../helpers/start-gateway.ts'

const leaks = createLeakCheck()
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

const ASK = { name: 'fx_ask', arguments: { kind: 'elicitation' } }

async function start(stack: AsyncDisposableStack, grace: number) {
  const directory = stack.use(await createTemporaryDirectory('parked-lane'))
  const journal = join(directory.path, 'journal.ndjson')
  const pool = new McpPool({ mcpServers: { fx: { ...fixtureCommand({ journal }), interactive: true } } })
  stack.defer(() => pool.close())
  pool.start()
  await pool.ready()
  const { url, gateway } = stack.use(await startGateway(pool, { parkedGrace: grace }))
  const connect = async (era: Era) => {
    const agent = await connectAgent(era, url, { capabilities: { elicitation: { form: {} } } })
    stack.defer(() => agent.close())
    return agent
  }
  return { connect, gateway, pool, journal }
}

function readState({ result }: Answer): string {
  expect(result.resultType).toBe('input_required')
  return String(result.requestState)
}

it('is served to the next agent, questions included, when the one that was asked stays away', async () => {
  await using stack = new AsyncDisposableStack()
  const { connect, gateway, journal } = await start(stack, 100)
  const away = await connect('modern')
  const next = await connect('legacy')
  const requestState = readState(await away.request('tools/call', ASK))
  const asked: JsonObject[] = []
  const { result } = await next.request('tools/call', ASK, {
    answer: (question) => {
      asked.push(question)
      return { action: 'accept', content: { who: 'next' } }
    },
  })
  expect(asked).toHaveLength(1)
  expect(JSON.stringify(result)).toContain('next')
  expect(gateway.parkedCount).toBe(0)
  const late = await away.request('tools/call', {
    ...ASK,
    requestState,
    inputResponses: { user_answer: { action: 'accept' } },
  })
  expect(late.error).toMatchObject({ data: { error: { code: 'input_expired' } } })
  // It was told that nobody answers, ended the call by itself, and had nothing to be cancelled.
  const events = (await readJournal(journal)).map(({ event }) => event)
  expect(events).not.toContain('cancelled')
})

it('waits for the agent that was asked, however long, while nobody else wants it', async () => {
  await using stack = new AsyncDisposableStack()
  const { connect, gateway, pool } = await start(stack, 1)
  const slow = await connect('modern')
  const question = await slow.request('tools/call', ASK)
  const requestState = readState(question)
  const [key = ''] = Object.keys(question.result.inputRequests as JsonObject)
  // What a server serves to all does not wait in line: time goes by, and nobody is in the way of anybody.
  for (let index = 0; index < 20; index++) await slow.request('tools/list')
  expect(gateway.parkedCount).toBe(1)
  const answers = { [key]: { action: 'accept', content: { who: 'slow' } } }
  const { result } = await slow.request('tools/call', { ...ASK, requestState, inputResponses: answers })
  expect(JSON.stringify(result)).toContain('slow')
  await waitFor(() => pool.status()[0]?.inFlight === 0)
})
