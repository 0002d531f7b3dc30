/** A server whose messages are nested so deeply that whoever writes them again breaks. */
import type { JsonObject } from '@switchboard/protocol'
import { fixtureCommand, textOfAnswer, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { CARRIERS, rawServer } from './support/raw-carriers.ts'
import { useTargets } from './support/target.ts'

const targets = useTargets()

test('what servers of every kind nest too deeply fails those calls, and nothing else', async () => {
  const names = CARRIERS.map((carrier) => carrier.replace(' ', '-'))
  const entries = await Promise.all(CARRIERS.map((carrier) => rawServer('deep', carrier)))
  const evil = Object.fromEntries(entries.map((entry, index) => [names[index], entry]))
  const target = await targets.start({ mcpServers: { ...evil, good: fixtureCommand({}) } })
  await Promise.all(['good', ...names].map((name) => target.waitForState(name, 'ready')))
  await target.watchFromNow()
  const agent = await target.attach()
  for (const name of names) {
    for (const tool of ['result', 'lists', 'error', 'id_last']) {
      expect(textOfAnswer(await agent.call(`${name}_${tool}`)), `${name} ${tool}`).toContain('[message_too_deep]')
    }
    for (const tool of ['log', 'notice', 'question']) {
      expect(textOfAnswer(await agent.call(`${name}_${tool}`)), `${name} ${tool}`).toBe(tool)
    }
    const withProgress = { name: `${name}_progress`, arguments: {}, _meta: { progressToken: 'p' } }
    expect(textOfAnswer(await agent.request('tools/call', withProgress))).toBe('progress')
    expect(JSON.stringify(await agent.call(`${name}_allowed`))).toContain('"a":{"a":')
    expect(await agent.call(`${name}_schema`, nestArguments())).toMatchObject({ id: expect.anything() })
  }
  expect(textOfAnswer(await agent.call('good_echo', { text: 'still here' }))).toBe('still here')
  await target.expectCalm()
  for (const { name, state, restarts, counters } of (await target.status()).servers) {
    expect({ name, state, restarts }).toEqual({ name, state: 'ready', restarts: 0 })
    if (name !== 'good') expect(counters?.oversized, name).toBeGreaterThanOrEqual(8)
  }
})

test('a server whose handshake or list is nested too deeply does not start, and says why', async () => {
  const target = await targets.start({
    mcpServers: {
      greets: await rawServer('deep_capabilities'),
      lists: await rawServer('deep_list'),
      good: fixtureCommand({}),
    },
  })
  for (const name of ['greets', 'lists']) {
    const isTold = async () =>
      JSON.stringify((await target.status()).servers.find((server) => server.name === name)).includes(
        'nested too deeply',
      )
    await waitFor(isTold, { what: `the reason of ${name} in the status`, timeout: 60_000 })
  }
  await target.waitForState('good', 'ready')
  await target.watchFromNow()
  const agent = await target.attach()
  expect(textOfAnswer(await agent.call('good_echo', { text: 'still here' }))).toBe('still here')
  await target.expectCalm()
})

function nestArguments(): JsonObject {
  let value: JsonObject = {}
  for (let level = 0; level < 100; level++) value = { a: value }
  return value
}
