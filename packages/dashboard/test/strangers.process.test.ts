/** Whoever was not given a link gets nothing: other pages, rebound names, frames, guessed and used links. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fixtureCommand } from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Board, findChromium } from './support/board.ts'

const chromium = findChromium()
const reason = chromium === undefined ? ' (needs Chromium: apt-get install chromium-headless-shell)' : ''
const METHODS = ['overview', 'tools', 'calls', 'logs', 'feed', 'call', 'restart_server', 'memory', 'leave', 'nothing']

let board: Board
let origins: string[]
const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>a page</title>'))

function post(method: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${board.url}/dashboard/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

async function enter(): Promise<string> {
  const [, link] = (await board.link()).split('#enter=')
  const answer = await post('enter', { link })
  expect(answer.status).toBe(200)
  const { session } = (await answer.json()) as { session: string }
  return session
}

describe.skipIf(chromium === undefined)(`a stranger to the dashboard${reason}`, () => {
  beforeAll(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    // A TCP server's address is never a path.
    const { port } = site.address() as AddressInfo
    origins = ['127.0.0.1', 'localhost', 'evil.example'].map((name) => `http://${name}:${port}`)
    const config = {
      mcpServers: { fx: fixtureCommand({}) },
      // Allowed for agents, and all the same nobody here.
      gateway: { allowedOrigins: [`http://localhost:${port}`] },
      packs: WITHOUT_PACKS,
    }
    board = await Board.start(config, chromium ?? '')
  })
  afterAll(async () => {
    await board?.dispose()
    await new Promise((resolve) => site.close(resolve))
  })

  test('without a session, or with a wrong one, is told nothing by any method', async () => {
    for (const method of METHODS) {
      const answers = [await post(method, {}), await post(method, {}, { authorization: 'Bearer guessed' })]
      for (const answer of answers) {
        expect(answer.status).toBe(401)
        expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } })
      }
    }
  })

  test('with a used or a guessed link gets no session', async () => {
    const [, link] = (await board.link()).split('#enter=')
    expect((await post('enter', { link })).status).toBe(200)
    expect((await post('enter', { link })).status).toBe(401)
    expect((await post('enter', { link: 'A'.repeat(43) })).status).toBe(401)
    expect((await fetch(`${board.url}/dashboard/api/overview?session=${link}`)).status).toBe(400)
  })

  test('who calls by another name, from another origin, or as a form is refused even with a session', async () => {
    const authorization = `Bearer ${await enter()}`
    expect((await post('overview', {}, { authorization })).status).toBe(200)
    for (const headers of [
      { origin: origins[1] ?? '' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain' },
    ]) {
      const answer = await post('overview', {}, { authorization, ...headers } as Record<string, string>)
      expect({ headers, status: answer.status }).toEqual({ headers, status: headers['content-type'] ? 400 : 403 })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('leaves, and the session is gone', async () => {
    const authorization = `Bearer ${await enter()}`
    expect((await post('leave', {}, { authorization })).status).toBe(200)
    expect((await post('overview', {}, { authorization })).status).toBe(401)
  })

  test('a page of another origin or of a rebound name reads nothing, does nothing and frames nothing', async () => {
    const context = await board.context()
    // The person is let in, in the same browser.
    const own = await context.newPage()
    await own.goto(await board.link())
    await own.getByRole('navigation').waitFor()
    const { port } = new URL(board.url)
    for (const origin of origins) {
      const page = await context.newPage()
      await page.goto(origin)
      const found = await page.evaluate(`(async () => {
        const read = []
        for (const host of ['127.0.0.1', 'localhost', location.hostname]) {
          const base = 'http://' + host + ':${port}/dashboard'
          for (const path of ['', '/api/overview', '/api/restart_server']) {
            read.push(await fetch(base + path, { method: path === '' ? 'GET' : 'POST', headers: path === '' ? {} : { 'content-type': 'application/json' }, body: path === '' ? undefined : '{"server":"fx"}', credentials: 'include' }).then((answer) => answer.ok ? 'read' : 'refused', () => 'refused'))
            await fetch(base + path, { method: 'POST', mode: 'no-cors', body: '{"server":"fx"}' }).catch(() => {})
          }
          const frame = document.createElement('iframe')
          frame.src = base
          document.body.append(frame)
          await new Promise((resolve) => { frame.onload = frame.onerror = resolve })
        }
        return { read, kept: localStorage.length, frames: frames.length }
      })()`)
      expect(found).toEqual({ read: Array(9).fill('refused'), kept: 0, frames: 3 })
      const shown = await Promise.all(
        page.frames().map((frame) =>
          frame
            .locator('nav, .outside')
            .count()
            .catch(() => 0),
        ),
      )
      expect(shown.every((count) => count === 0)).toBe(true)
      await page.close()
    }
    // A name that leads here is not ours.
    const rebound = await context.newPage()
    const answer = await rebound.goto(`http://evil.example:${port}/dashboard`)
    expect(answer?.status()).toBe(403)
    await context.close()
    const { servers } = await board.ask<{ servers: { restarts: number }[] }>('status')
    expect(servers[0]?.restarts).toBe(0)
  })

  test('who is given the page by a used link in another browser is told how to get a new one', async () => {
    const link = await board.link()
    const first = await (await board.context()).newPage()
    await first.goto(link)
    await first.getByRole('navigation').waitFor()
    expect(first.url()).not.toContain('enter=')
    const second = await (await board.context()).newPage()
    await second.goto(link)
    await second.getByRole('heading', { name: 'A new link is needed' }).waitFor()
    await first.reload()
    await first.getByRole('navigation').waitFor()
  })

  test('the page says what it may do: its own code, no frame, nothing from elsewhere, and little weight', async () => {
    const answer = await fetch(`${board.url}/dashboard`, { headers: { 'accept-encoding': 'gzip' } })
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; connect-src 'self'/,
    )
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(150_000)
  })
})
