/** One legacy server, several callers: a question is passed on where its call is known, and never to the wrong one. */
import type { AskRequests, AskResponses } from '@switchboard/protocol'
import { createMemoryLogger } from '@switchboard/telemetry'
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
  const log = createMemoryLogger()
  const started = new McpPool({ mcpServers: { all: entry } }, { log })
  pool = started
  started.start()
  await started.ready()
  await waitFor(() => started.tools().some(({ own }) => own === 'trigger-sampling-request'))
  // It asks for the roots once, a while after its start. In the middle of a call it would be taken for one that asks back.
  await waitFor(() => log.entries.some(({ msg }) => msg.includes('declined roots/list: no call')))
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
  const other = shared.call(
    'all_trigger-long-running-operation',
    { duration: 3, steps: 30 },
    { onProgress: () => isRunning.resolve(), ask: answerAs('the other') },
  )
  await isRunning.promise
  const asking = await shared.call('all_trigger-sampling-request', { prompt: 'hello' }, { ask: answerAs('the asker') })
  if (transport === 'http') {
    // The stream on which it asks is the call's own.
    expect(JSON.stringify(asking.content)).toContain('sampled by the asker')
    expect(shared.status()[0]?.asks).toBeUndefined()
  } else {
    // Its question waited until the other call had ended, and could be nobody else's then.
    expect(JSON.stringify(asking.content)).toContain('sampled by the asker')
    expect(shared.status()).toMatchObject([{ asks: ['trigger-sampling-request'] }])
  }
  await expect(other).resolves.toMatchObject({ content: [{ type: 'text' }] })
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

it('on stdio, what was never seen asking is called by all at once, also after another tool has asked', async () => {
  const shared = await startPool('stdio')
  const { content } = await shared.call(
    'all_trigger-sampling-request',
    { prompt: 'hello' },
    { ask: answerAs('the asker') },
  )
  expect(JSON.stringify(content)).toContain('sampled by the asker')
  const running = [0, 1, 2].map(() => Promise.withResolvers<void>())
  let ended = 0
  const calls = running.map(async (begun, index) => {
    await shared.call(
      'all_trigger-long-running-operation',
      { duration: 5, steps: 50 },
      { onProgress: () => begun.resolve(), caller: { instance: `window-${index}` } },
    )
    ended++
  })
  await Promise.all(running.map(({ promise }) => promise))
  expect(ended).toBe(0)
  await Promise.all(calls)
})
