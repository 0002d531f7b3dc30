/** Somebody who has a token, or guesses at one: a token for one profile tells nothing of the servers of others. */
import { connect } from 'node:net'
import type { JsonObject } from '@switchboard/protocol'
import { fixtureCommand, waitFor } from '@switchboard/testkit'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { INITIALIZE, modernCall, modernRequest } from './support/requests.ts'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()

/** What only the other server may know of: its name, its path, what it writes to its stderr, where it is. */
const SECRETS = /vault|hush-hush|intranet\.example|\/opt\/vaulted/

/** A server that says something on its stderr before it serves. */
function speaking(text: string): JsonObject {
  const { command, args, ...more } = fixtureCommand({})
  return { ...more, command: '/bin/sh', args: ['-c', 'echo "$0" >&2; exec "$@"', text, command, ...args] }
}

describe('a token that is bound to a profile', () => {
  let target: Target
  let token = ''

  beforeEach(async () => {
    target = await targets.start({
      mcpServers: {
        open: speaking('open speaks'),
        vault: speaking('hush-hush: connecting to http://intranet.example/db'),
        'vault-broken': { command: '/opt/vaulted/bin/server' },
      },
      profiles: { small: { providers: ['open'] } },
    })
    await target.waitForState('open', 'ready')
    await target.waitForState('vault', 'ready')
    const created = await target.run(['token', 'create', 'ci', '--profile', 'small'])
    token = created.out.trim()
    // So that there is something to be told of: calls, counted and logged.
    const agent = await target.attach()
    await agent.call('vault_echo', { text: 'hush-hush' })
  })

  async function get(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    const response = await fetch(target.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
    return { status: response.status, text: await response.text() }
  }

  async function call(name: string, args: JsonObject = {}): Promise<string> {
    const { path, headers, body, method } = modernCall(name, args, { authorization: `Bearer ${token}` })
    const response = await fetch(target.url + path, { method, headers, body })
    expect(response.status).toBe(200)
    return response.text()
  }

  test('tells of its own servers, and of no others by no way', async () => {
    // Without a profile the same ways tell all: else they would prove nothing here.
    expect(await (await fetch(`${target.url}/readyz`)).text()).toMatch(SECRETS)
    expect(await (await fetch(`${target.url}/metrics`)).text()).toMatch(SECRETS)

    const ready = await get('/readyz')
    expect(JSON.parse(ready.text).providers).toEqual({ open: 'ready' })
    const metrics = await get('/metrics')
    expect(metrics.text).toContain('server="open"')
    const status = await call('switchboard_status')
    expect(status).toContain('"open"')
    await waitFor(async () => (await call('debug_get_logs', { source: 'server-open' })).includes('open speaks'))
    const tellings = [
      ready.text,
      metrics.text,
      status,
      await call('debug_get_logs', { limit: 1000 }),
      await call('debug_get_logs', { source: 'server' }),
      await call('debug_get_logs', { source: 'daemon' }),
    ]
    for (const telling of tellings) expect(telling).not.toMatch(SECRETS)
    // Nor does looking for it tell whether it is there.
    for (const filter of [{ source: 'server-vault' }, { grep: 'hush' }, { grep: 'intranet' }, { level: 'error' }]) {
      expect(JSON.parse(await call('debug_get_logs', filter)).result.structuredContent.data).toMatchObject({ count: 0 })
    }
    // That a tool which it guessed is not its own is all that it learns, not who has it.
    const denied = await call('vault_echo', { text: 'x' })
    expect(denied).toContain('profile_denied')
    expect(denied).not.toContain('default')
    await target.expectCalm()
  })

  test('opens no other profile, by any route', async () => {
    for (const path of ['/readyz/default', '/metrics/default', '/sse/default', '/mcp/default', '/mcp/nobody']) {
      const refused = await get(path)
      expect([path, refused.status]).toEqual([path, 403])
      expect(refused.text).not.toMatch(SECRETS)
    }
  })
})

describe('a token that was stolen', () => {
  test('is of no use once it is revoked, on connections that are open neither', async () => {
    const target = await targets.start({ gateway: { auth: 'token' } })
    const open = async (name: string) => {
      const { out } = await target.run(['token', 'create', name])
      const headers = { authorization: `Bearer ${out.trim()}` }
      const socket = new WebSocket(`${target.url.replace('http', 'ws')}/ws`, { headers })
      onTestFinished(() => socket.terminate())
      const heard: string[] = []
      socket.on('message', (data) => heard.push(String(data)))
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
      socket.send(INITIALIZE)
      await waitFor(() => heard.length === 1, { what: `an answer to ${name}` })
      const { path, ...listen } = modernRequest('subscriptions/listen', { notifications: {} }, headers)
      const streams = [await fetch(`${target.url}/sse`, { headers }), await fetch(`${target.url}${path}`, listen)]
      const ended = Promise.all(streams.map((stream) => stream.text()))
      return { socket, heard, ended }
    }
    const stolen = await open('stolen')
    const mine = await open('mine')
    expect((await target.run(['token', 'revoke', 'stolen'])).code).toBe(0)
    await waitFor(() => stolen.socket.readyState === WebSocket.CLOSED, {
      what: 'the end of its WebSocket',
      timeout: 60_000,
    })
    await stolen.ended
    mine.socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }))
    await waitFor(() => mine.heard.length === 2, { what: 'an answer to who has a token' })
    expect((await target.run(['token', 'revoke', 'mine'])).code).toBe(0)
    await mine.ended
    await target.expectCalm()
  })
})

describe('a guesser', () => {
  const wrong = (): string => `sbt_0123456789_${Math.random().toString(36).slice(2).padEnd(43, 'x')}`

  test('is slowed, and holds up nobody who has a token', async () => {
    const target = await targets.start({ gateway: { auth: 'token' } })
    const { out } = await target.run(['token', 'create', 'mine'])
    const right = { authorization: `Bearer ${out.trim()}` }
    const begin = performance.now()
    const guesses = Array.from({ length: 300 }, async () => {
      const answer = await fetch(`${target.url}/readyz`, { headers: { authorization: `Bearer ${wrong()}` } })
      await answer.arrayBuffer()
      return { status: answer.status, retry: answer.headers.get('retry-after'), at: performance.now() - begin }
    })
    // As long as any guess is held, a right token is let in, and only ever with 200.
    let isOver = false
    let letIn = 0
    const mine = (async () => {
      while (!isOver) {
        const answer = await fetch(`${target.url}/readyz`, { headers: right })
        await answer.arrayBuffer()
        expect(answer.status).toBe(200)
        letIn++
      }
    })()
    const answers = await Promise.all(guesses)
    isOver = true
    await mine
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]))
    const elapsed = Math.max(...answers.map(({ at }) => at))
    // Thirty at once, and one for every quarter of a second.
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(31 + elapsed / 250)
    expect(answers.every(({ status, retry }) => status === 401 || Number(retry) > 0)).toBe(true)
    // The longest was held back for seconds, during which others came and went.
    expect(elapsed).toBeGreaterThan(3_000)
    expect(letIn).toBeGreaterThan(10)
    await target.expectCalm()
  })

  test('does not get by with two of a header, or a body that ends twice', async () => {
    const target = await targets.start({ gateway: { auth: 'token' } })
    const { out } = await target.run(['token', 'create', 'mine'])
    const right = `Authorization: Bearer ${out.trim()}`
    const host = `Host: ${new URL(target.url).host}`
    const say = (...lines: string[]): Promise<string> =>
      exchange(target.url, `GET /readyz HTTP/1.1\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`)
    expect(await say(host, right)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await say(host, 'Host: evil.example', right)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await say('Host: evil.example', host, right)).toMatch(/^HTTP\/1\.1 400 /)
    expect(await say(host, right, `Authorization: Bearer ${wrong()}`)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await say(host, `Authorization: Bearer ${wrong()}`, right)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await say(host, right, 'Content-Length: 0', 'Transfer-Encoding: chunked')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await say(host, right, 'Content-Length: 0', 'Content-Length: 1')).toMatch(/^HTTP\/1\.1 400 /)
    await target.expectCalm()
  })
})

/** Bytes as they are; all that comes back. */
function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}
