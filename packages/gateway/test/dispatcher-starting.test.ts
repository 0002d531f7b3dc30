import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { FakeProvider, tool } from './helpers/fake-provider.ts'
import { connectClient, createHarness, resultOf } from './helpers/gateway-harness.ts'

/** A server of which nothing is known at first, beside a pack that has resources already. */
async function startSlowly() {
  const slow = new FakeProvider('slow', {
    state: 'starting',
    answers: {
      'tools/call': () => ({ content: [] }),
      'prompts/get': () => ({ messages: [] }),
      'resources/read': ({ uri }) => ({ contents: [{ uri: String(uri), text: 'here' }] }),
      'resources/subscribe': () => ({}),
    },
  })
  const quick = new FakeProvider('quick', {
    catalog: { resources: [{ uri: 'quick://one', name: 'one' }], capabilities: { resources: { subscribe: true } } },
  })
  let starting: PromiseWithResolvers<void> | undefined = Promise.withResolvers<void>()
  const { gateway } = createHarness([quick, slow], { starting: () => starting?.promise })
  const client = await connectClient(gateway)
  const come = (): void => {
    slow.simulateCatalog(
      {
        tools: [tool('do')],
        prompts: [{ name: 'greet' }],
        resources: [{ uri: 'slow://one', name: 'one' }],
        capabilities: { resources: { subscribe: true }, prompts: {} },
      },
      ['tools', 'prompts', 'resources'],
    )
    const { resolve } = starting ?? {}
    starting = undefined
    resolve?.()
  }
  return { slow, quick, client, come }
}

describe('while a server starts of which nothing is known yet', () => {
  it.each<[string, JsonObject]>([
    ['resources/subscribe', { uri: 'slow://one' }],
    ['resources/read', { uri: 'slow://one' }],
    ['prompts/get', { name: 'slow_greet' }],
    ['tools/call', { name: 'slow_do' }],
  ])('%s of what may be its own waits for it, and reaches it', async (method, params) => {
    const { slow, quick, client, come } = await startSlowly()
    const answer = client.request(method, params)
    come()
    await resultOf(answer)
    expect(slow.methods).toContain(method)
    expect(quick.methods).not.toContain(method)
  })
})
