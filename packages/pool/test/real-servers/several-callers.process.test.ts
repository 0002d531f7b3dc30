/** One legacy server, several callers: a question is passed on where its call is known, and never to the wrong one. */
import type { AskRequests, AskResponses } from '@switchboard/protocol'
import { createLeakCheck, waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { McpPool } from '../../src/mcp-pool.ts'
import { everythingCommand, type RemoteServer, startRemoteEverything } from './real-servers.ts'

const leaks = createLeakCheck()
let pool: McpPool | undefined
let remote: RemoteServer | undefined

beforeEach(() => leaks.begin())
afterEach(async () => {
  await pool?.close()
  await remote?.stop()
  remote = undefined
  await leaks.check()
})

async function startPool(transport: 'stdio' | 'http' | 'sse'): Promise<McpPool> {
  if (transport !== 'stdio') remote = await startRemoteEverything(transport === 'http' ? 'streamableHttp' : 'sse')
  const entry = remote === undefined ? everythingCommand() : { type: transport, url: remote.url }
  const started = new McpPool({ mcpServers: { all: entry } })
  pool = started
  started.start()
  await started.ready()
  await waitFor(() => started.tools().some(({ own }) => own === 'trigger-sampling-request'))
  return started
}

function answerAs(name: string) {
  return async (requests: AskRequests): Promise<AskResponses> =>
    Object.fromEntries(
      Object.keys(requests).map((key) => [
        key,
        { role: 'assistant', model: 'none', content: { type: 'text', text: `sampled by ${name}` } },
      ]),
    )
}

it.each(['stdio', 'http', 'sse'] as const)('over %s, with two calls in flight', async (transport) => {
  const shared = await startPool(transport)
  const isRunning = Promise.withResolvers<void>()
  const giveUp = new AbortController()
  const other = shared.call(
    'all_trigger-long-running-operation',
    { duration: 30, steps: 300 },
    { signal: giveUp.signal, onProgress: () => isRunning.resolve(), ask: answerAs('the other') },
  )
  await isRunning.promise
  const asking = await shared.call('all_trigger-sampling-request', { prompt: 'hello' }, { ask: answerAs('the asker') })
  if (transport === 'http') {
    // The stream on which it asks is the call's own.
    expect(JSON.stringify(asking.content)).toContain('sampled by the asker')
    expect(shared.status()).toMatchObject([{ serialised: false }])
  } else {
    expect(asking).toMatchObject({ isError: true })
    expect(JSON.stringify(asking.content)).toContain('2 calls are in flight')
    // It was seen asking: from now on its calls are made one by one, and then the call is known.
    expect(shared.status()).toMatchObject([{ serialised: true }])
  }
  giveUp.abort()
  await expect(other).rejects.toMatchObject({ code: 'cancelled' })
})

it('on stdio, a server that was seen asking serves callers one by one, and each is asked for its own call', async () => {
  const shared = await startPool('stdio')
  const sample = async (name: string): Promise<string> => {
    const { content } = await shared.call('all_trigger-sampling-request', { prompt: 'hello' }, { ask: answerAs(name) })
    return JSON.stringify(content)
  }
  expect(await sample('nobody else')).toContain('sampled by nobody else')
  const names = ['the first', 'the second', 'the third']
  const answers = await Promise.all(names.map(sample))
  for (const [index, name] of names.entries()) expect(answers[index]).toContain(`sampled by ${name}`)
})
