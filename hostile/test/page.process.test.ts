/**
 * A web page that a person looks at while Switchboard runs: in a real Chromium, which belongs to the same user, so nothing
 * but where the page comes from tells it from the person's own programs.
 */
import { findFreePort, fixtureCommand } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { findBrowser, visit } from './support/browser.ts'
import { INITIALIZE, modernCall } from './support/requests.ts'
import { type Target, useTargets } from './support/target.ts'

const browser = findBrowser()
const reason = browser === undefined ? ' (needs Chromium: apt-get install chromium-headless-shell)' : ''
const targets = useTargets()

const CALL = modernCall('fx_echo', { text: 'of a page' })

/** Everything that a page can do without being asked; each way by the names that lead to the daemon. */
const ATTACK = `
const { port } = new URL(target)
const hosts = ['127.0.0.1:' + port, 'localhost:' + port, location.hostname + ':' + port]
const found = { sockets: [], streams: [], reads: [], blind: 0 }
const socket = (url) => new Promise((resolve) => {
  const ws = new WebSocket(url, 'mcp')
  ws.onopen = () => { ws.send(${JSON.stringify(INITIALIZE)}); ws.send(${JSON.stringify(CALL.body)}); resolve('open') }
  ws.onerror = () => resolve('refused')
})
const stream = (url) => new Promise((resolve) => {
  const source = new EventSource(url)
  source.onopen = () => resolve('open')
  source.onerror = () => { source.close(); resolve('refused') }
})
const element = (name, url) => new Promise((resolve) => {
  const one = document.createElement(name)
  one.onload = one.onerror = () => { found.blind++; resolve() }
  one.src = url
  document.body.append(one)
})
const call = ${JSON.stringify(CALL)}
for (const host of hosts) {
  const base = 'http://' + host
  for (const path of ['/ws', '/ws/default']) found.sockets.push(await socket('ws://' + host + path))
  for (const path of ['/sse', '/mcp']) found.streams.push(await stream(base + path))
  for (const path of ['/readyz', '/metrics', '/healthz']) {
    found.reads.push(await fetch(base + path).then((answer) => 'read ' + answer.status, () => 'refused'))
  }
  // What a page sends without a preflight, and does not get to read.
  for (const type of ['text/plain', 'text/plain; application/json', 'application/x-www-form-urlencoded']) {
    await fetch(base + '/mcp', { method: 'POST', mode: 'no-cors', headers: { 'content-type': type }, body: call.body })
      .then(() => { found.blind++ }, () => {})
  }
  await fetch(base + '/mcp', { method: 'POST', mode: 'no-cors', body: new Blob([call.body], { type: 'application/json' }) })
    .then(() => { found.blind++ }, () => {})
  // And what it sends after one, should that be answered.
  found.reads.push(await fetch(base + '/mcp', { method: 'POST', headers: call.headers, body: call.body })
    .then((answer) => 'read ' + answer.status, () => 'refused'))
  navigator.sendBeacon(base + '/mcp', new Blob([call.body], { type: 'text/plain' }))
  await element('img', base + '/sse')
  await element('script', base + '/metrics')
  await element('iframe', base + '/readyz')
}
return found
`

/** Its calls are counted by the daemon itself. */
async function startWithCalls(gateway: object = {}): Promise<{ target: Target; countCalls: () => Promise<number> }> {
  const target = await targets.start({ gateway, mcpServers: { fx: fixtureCommand({}) } })
  await target.waitForState('fx', 'ready')
  const countCalls = async (): Promise<number> => (await target.status()).servers[0]?.calls ?? -1
  return { target, countCalls }
}

describe.skipIf(browser === undefined)(`a web page${reason}`, () => {
  test.each(['localhost', '127.0.0.1', 'evil.example'])('of %s, on another port, reaches nothing', async (site) => {
    const { target, countCalls } = await startWithCalls()
    const found = await visit(browser ?? '', target.url, { site, script: ATTACK })
    expect(found).toMatchObject({
      sockets: Array(6).fill('refused'),
      streams: Array(6).fill('refused'),
      reads: Array(12).fill('refused'),
    })
    // So much was sent whose answer the page never sees.
    expect(Number(found.blind)).toBeGreaterThan(0)
    // What is answered now came after all of it.
    const ready = await (await fetch(`${target.url}/readyz`)).json()
    expect(ready).toMatchObject({ sessions: 0, streams: 0, inFlight: 0 })
    expect(await countCalls()).toBe(0)
    await target.expectCalm()
  })

  test('whose origin is allowed gets in by each of these ways, or the others would prove nothing', async () => {
    const port = await findFreePort()
    const { target, countCalls } = await startWithCalls({ allowedOrigins: [`http://localhost:${port}`] })
    const found = await visit(browser ?? '', target.url, { site: 'localhost', port, script: ATTACK })
    expect(found).toMatchObject({
      sockets: Array(6).fill('open'),
      reads: Array(3).fill(['read 200', 'read 200', 'read 200', 'read 200']).flat(),
    })
    expect(await countCalls()).toBeGreaterThan(0)
  })
})
