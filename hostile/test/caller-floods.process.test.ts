/** Callers who ask for a great deal at once, and servers whose messages take long to take apart. Nobody else waits for that. */
import type { JsonObject } from '@switchboard/protocol'
import { fixtureCommand, textOfAnswer, waitFor } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { rawServer } from './support/raw-carriers.ts'
import { INITIALIZE, modernCall, modernRequest, type WholeRequest } from './support/requests.ts'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()
const PATIENCE = { timeout: 60_000 }
const MEMBERS = 2_000_000

const membersOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`

function ask(target: Target, { path, body, headers, method }: WholeRequest): Promise<Response> {
  return fetch(`${target.url}${path}`, { method, headers, body })
}

async function startWithGood(servers: JsonObject = {}, more: JsonObject = {}): Promise<Target> {
  const target = await targets.start({ mcpServers: { ...servers, good: fixtureCommand({}) }, ...more })
  await Promise.all([...Object.keys(servers), 'good'].map((name) => target.waitForState(name, 'ready')))
  await expectServed(target)
  // Loading what checks arguments is the price of the first call.
  await target.watchFromNow()
  return target
}

async function expectServed(target: Target): Promise<void> {
  const agent = await target.attach()
  expect(textOfAnswer(await agent.call('good_echo', { text: 'still here' }))).toBe('still here')
}

test('a batch of a million is one mistake, over WebSocket, an event stream and the socket', async () => {
  const target = await startWithGood()
  const batches = [`[${'1,'.repeat(1_000_000)}1]`, `[${`${INITIALIZE},`.repeat(10_000)}1]`]

  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/ws`)
  onTestFinished(() => socket.terminate())
  const heard: string[] = []
  socket.on('message', (data) => heard.push(String(data)))
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(INITIALIZE)
  for (const batch of batches) socket.send(batch)
  await waitFor(() => heard.length === 3, { ...PATIENCE, what: 'an answer to each batch' })

  const stream = await fetch(`${target.url}/sse`)
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader?.cancel())
  const [, place] = /data: (\S+)/.exec((await reader?.read())?.value ?? '') ?? []
  const headers = { 'content-type': 'application/json' }
  await fetch(`${target.url}${place}`, { method: 'POST', headers, body: INITIALIZE })
  for (const body of batches) {
    expect((await fetch(`${target.url}${place}`, { method: 'POST', headers, body })).status).toBe(202)
  }
  let told = ''
  while (told.split('the most').length < 3) told += (await reader?.read())?.value

  const agent = await target.attach()
  for (const batch of batches) agent.sendText(`${batch}\n`)
  await waitFor(() => agent.received.filter(({ error }) => JSON.stringify(error)?.includes('the most')).length === 2, {
    ...PATIENCE,
    what: 'an answer to each batch on the socket',
  })
  await expectServed(target)
  await target.expectCalm()
})

test('a message of millions of members is refused unread, from callers and from servers', async () => {
  const target = await startWithGood({ heavy: await rawServer('heavy') })
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"good_echo","arguments":${membersOf(300_000)}}}`
  const posted = await ask(target, { ...modernCall('good_echo', {}), body })
  expect(posted.status).toBe(400)
  expect(await posted.text()).toContain('objects, lists and members')

  const agent = await target.attach()
  agent.sendText(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":${membersOf(MEMBERS)}}\n`)
  await waitFor(() => agent.received.some(({ error }) => JSON.stringify(error)?.includes('objects, lists')), {
    ...PATIENCE,
    what: 'an answer to the message',
  })
  expect(textOfAnswer(await agent.call('heavy_members'))).toContain('[message_too_large]')
  expect(textOfAnswer(await agent.call('heavy_batch'))).toContain('[message_too_large]')
  expect(textOfAnswer(await agent.call('heavy_unnamed'))).toContain('[message_too_large]')
  await expectServed(target)
  await target.expectCalm({ memory: 700 })
})

test('who subscribes to all that a template may name, or reads what no template fits, keeps nobody waiting', async () => {
  const target = await startWithGood({ evil: await rawServer('templates') })
  const leaving = new AbortController()
  const uris = Array.from({ length: 200_000 }, (_, index) => `y:${index}`)
  const costly = Array.from({ length: 100 }, (_, index) => `x:${'/'.repeat(8_000)}${index}`)
  for (const resourceSubscriptions of [uris, costly]) {
    const { path, ...request } = modernRequest('subscriptions/listen', { notifications: { resourceSubscriptions } })
    const response = await fetch(`${target.url}${path}`, { ...request, signal: leaving.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    // A comment that keeps the stream open may come before it.
    while (!/acknowledged.*\n\n/.test(told)) told += (await reader?.read())?.value
    expect(told.split('"y:').length - 1).toBe(resourceSubscriptions === uris ? 1_000 : 0)
  }
  const agent = await target.attach()
  for (const uri of costly.slice(0, 20)) {
    expect(await agent.request('resources/read', { uri })).toMatchObject({ error: { code: expect.anything() } })
  }
  leaving.abort()
  await expectServed(target)
  await target.expectCalm()
})

test('a search among many words, or for many, keeps nobody waiting', async () => {
  const target = await startWithGood({ wordy: await rawServer('wordy') }, { profiles: { find: { search: true } } })
  const search = async (query: string): Promise<string> =>
    (await ask(target, { ...modernCall('tool_search', { query }), path: '/mcp/find' })).text()
  for (const query of [
    'aB'.repeat(1_900_000),
    '漢'.repeat(1_200_000),
    numbers(32)
      .map((at) => `qoord${at}z`)
      .join(' '),
  ]) {
    expect(await search(query)).toContain('"total":')
  }
  expect(await search('echo')).toContain('good_echo')
  await expectServed(target)
  await target.expectCalm()
})

const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index)
