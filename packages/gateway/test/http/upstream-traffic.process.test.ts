/** What passes between an agent and a real server: all of it, in order, unchanged. */

import type { JsonObject } from '@switchboard/protocol'
import { waitFor, waitForJournal } from '@switchboard/testkit'
import { callTool, exchange, modern, openSession, openStream, type RawRequest } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { AGENTS } from './support/agents.ts'
import { startCuttingProxy } from './support/cutting-proxy.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const CLIENT_ERAS = ['legacy', 'modern'] as const
const COMBINATIONS = CLIENT_ERAS.flatMap((client) => CLIENT_ERAS.map((server) => ({ client, server })))

/** How an agent of that era sends a call. */
async function createSender(client: 'legacy' | 'modern', url: string): Promise<(body: JsonObject) => RawRequest> {
  if (client === 'modern') return (body) => modern(body)
  const headers = await openSession(url)
  return (body) => ({ headers, body })
}

describe.each(COMBINATIONS)('between a $client agent and a $server server', ({ client, server }) => {
  it.each([true, false])(
    '100 of 100 progress messages arrive in order before the result (one chunk: %s)',
    async (sameChunk) => {
      const { url } = await bench.openPool(await bench.pool({ server: { era: server } }))
      const prepare = await createSender(client, `${url}/mcp`)
      const body = callTool(1, 'server_progress', { count: 100, sameChunk }, { progressToken: 'token' })
      const stream = await openStream(`${url}/mcp`, prepare(body))
      await waitFor(() => stream.ended)
      const messages = stream.messages()
      expect(messages.slice(0, -1).map(({ params }) => params)).toEqual(
        Array.from({ length: 100 }, (_, index) => ({
          progressToken: 'token',
          progress: index + 1,
          total: 100,
          message: `step ${index + 1} of 100`,
        })),
      )
      expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'reported 100' }] } })
    },
  )

  it('members and content types that nobody knows survive', async () => {
    const { url } = await bench.openPool(await bench.pool({ server: { era: server } }))
    const prepare = await createSender(client, `${url}/mcp`)
    const answer = await exchange(`${url}/mcp`, prepare(callTool(1, 'server_strange')))
    expect(answer.json.result).toMatchObject({
      content: [
        { type: 'text', text: 'known', annotations: { priority: 1, vendor: true }, 'x-block': 1 },
        { type: 'hologram', frames: [1, 2, 3], nested: { deep: null } },
      ],
      structuredContent: { any: ['value', 1, null] },
      _meta: { 'vendor.example/trace': { span: 7 } },
      'x-unknown': { kept: true },
    })
  })

  it('an agent that is gone cancels its call at the server', async () => {
    const { url } = await bench.openPool(await bench.pool({ server: { era: server } }))
    const prepare = await createSender(client, `${url}/mcp`)
    const gone = new AbortController()
    const { headers = {}, body } = prepare(callTool(1, 'server_slow', { ms: 60_000 }))
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: gone.signal }
    const call = fetch(`${url}/mcp`, init)
    await waitForJournal(
      bench.journal('server'),
      ({ event, message }) => event === 'message' && message?.method === 'tools/call',
    )
    gone.abort()
    await expect(call).rejects.toThrow()
    await waitForJournal(bench.journal('server'), ({ event }) => event === 'heeded-cancel')
  })

  it('2 MB of arguments and 5 MB of result pass', async () => {
    const { url } = await bench.openPool(await bench.pool({ server: { era: server } }))
    const prepare = await createSender(client, `${url}/mcp`)
    const said = 'x'.repeat(2_000_000)
    const echoed = await exchange(`${url}/mcp`, prepare(callTool(1, 'server_echo', { text: said })))
    expect((echoed.json.result as { content: { text: string }[] }).content[0]?.text === said).toBe(true)
    const large = await exchange(`${url}/mcp`, prepare(callTool(2, 'server_big', { bytes: 5_000_000 })))
    expect(large.json).toHaveProperty('result')
    expect(large.text.length).toBeGreaterThan(5_000_000)
  })
})

describe('on a bad network', () => {
  it.each(['SDK 1 over Streamable HTTP', 'SDK 2 in the legacy era'])(
    'a call of %s is resumed after its connections were cut, and is not made twice',
    async (name) => {
      const { port } = await bench.openPool(await bench.pool({ server: {} }))
      const proxy = await startCuttingProxy(port)
      bench.defer(() => proxy[Symbol.asyncDispose]())
      const agent = await (AGENTS[name] as (typeof AGENTS)[string])(proxy.url)
      bench.defer(() => agent.close())
      let steps = 0
      const onprogress = () => {
        steps += 1
        if (steps === 1) proxy.cut()
      }
      const result = await agent.call('server_slow', { ms: 3_000, steps: 6 }, { onprogress })
      expect(result.content).toMatchObject([{ text: 'slept 3000 ms' }])
      expect(steps).toBeGreaterThan(1)
    },
  )
})
