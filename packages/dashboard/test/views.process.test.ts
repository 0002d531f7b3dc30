/** Every view of the dashboard as a person uses it, with real servers, in a real Chromium. */

import type { DaemonStatus } from '@switchboard/daemon/client'
import { createInstanceId } from '@switchboard/protocol'
import { IPC_VERSION } from '@switchboard/protocol/ipc'
import { findPackageProgram, fixtureCommand, LineAgent, waitFor } from '@switchboard/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Board, findChromium, findViolations } from './support/board.ts'

const chromium = findChromium()
const reason = chromium === undefined ? ' (needs Chromium: apt-get install chromium-headless-shell)' : ''
const EVERYTHING = findPackageProgram(
  '@modelcontextprotocol/server-everything',
  new URL('../../pool/package.json', import.meta.url),
)
const INSTANCE = createInstanceId()

let board: Board
let page: Page
let agent: LineAgent

const call = (name: string, args: object): Promise<unknown> =>
  agent.request('tools/call', { name, arguments: { ...args } }).catch((error: unknown) => error)

const show = (hash: string, heading: string): Promise<void> => board.show(page, hash, heading)

async function readServer(name: string): Promise<DaemonStatus['servers'][number] | undefined> {
  return (await board.ask<DaemonStatus>('status')).servers.find((server) => server.name === name)
}

describe.skipIf(chromium === undefined)(`the dashboard${reason}`, () => {
  beforeAll(async () => {
    const config = {
      mcpServers: {
        everything: { command: process.execPath, args: [EVERYTHING] },
        fx: fixtureCommand({}),
        own: { ...fixtureCommand({}), shared: false },
        gone: { command: 'no-such-program-anywhere' },
      },
      packs: { debug: { enabled: false } },
    }
    board = await Board.start(config, chromium ?? '')
    const client = await board.connect()
    const { stream } = await client.attach({
      protocol: IPC_VERSION,
      role: 'front',
      instance: INSTANCE,
      profile: 'default',
      pid: process.pid,
      version: '0.1.0-test',
    })
    agent = new LineAgent(stream, stream)
    stream.resume()
    await agent.initialize()
    await waitFor(async () => (await readServer('everything'))?.state === 'ready', {
      what: 'everything',
      timeout: 60_000,
    })
    await call('everything_echo', { message: 'before' })
    await call('everything_get-sum', { a: 'no number' })
    page = await board.open()
  })
  afterAll(async () => {
    await board?.dispose()
  })

  test('lists the servers with their states, and restarts one by its button', async () => {
    await show('#/servers', 'Servers')
    await page.getByText('was not found on the PATH').waitFor()
    const pid = (await readServer('fx'))?.pid
    await page.getByRole('button', { name: 'Restart fx' }).click()
    await waitFor(
      async () => {
        const now = await readServer('fx')
        return now?.state === 'ready' && now.pid !== pid
      },
      { what: 'another process of fx', timeout: 60_000 },
    )
    await page.locator('tr', { hasText: 'fx' }).locator('td.warned').first().waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('shows one server with its latency and what it wrote to stderr', async () => {
    await show('#/servers/everything', 'everything')
    await page.getByRole('img', { name: /Latency of everything/ }).waitFor()
    await page.getByLabel('Last lines of stderr of everything').getByText(/stdio/i).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('shows what a window has of a server for itself, beside what others have', async () => {
    await show('#/servers', 'Servers')
    await page.getByRole('row', { name: /^own ready/ }).waitFor()
    await call('own_echo', { text: 'mine' })
    const row = page.getByRole('row', { name: new RegExp(`^own of window ${INSTANCE} ready`) })
    await row.waitFor()
    expect(await findViolations(page)).toEqual([])
    await row.getByRole('link', { name: 'own', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'own' }).waitFor()
    const facts = page.locator('.facts')
    await facts.getByText(INSTANCE).waitFor()
    expect(await facts.innerText()).toMatch(/Calls\s+1\b/)
    expect(await findViolations(page)).toEqual([])
    await show('#/servers/own?owner=tt79-000000', 'own')
    await page.getByText('No server of window tt79-000000 is named "own"').waitFor()
    await show('#/calls?server=own', 'Calls')
    expect(await page.getByLabel('Server').locator('option', { hasText: /^own$/ }).count()).toBe(1)
  })

  test('lists the windows', async () => {
    await show('#/instances', 'Windows')
    await page.getByRole('link', { name: INSTANCE }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('lists calls as they end, filters them, and opens one to its whole way', async () => {
    await show('#/calls', 'Calls')
    await page.locator('.live-live').waitFor()
    await call('everything_echo', { message: 'while somebody looks' })
    await waitFor(async () => (await page.getByRole('link', { name: 'everything_echo' }).count()) >= 2, {
      what: 'the call',
    })
    await page.getByLabel('Outcome').selectOption('not-ok')
    await page.getByRole('link', { name: 'everything_echo' }).first().waitFor({ state: 'detached' })
    expect(await findViolations(page)).toEqual([])
    expect(page.url()).toContain('outcome=not-ok')
    await page.getByRole('link', { name: 'everything_get-sum' }).first().click()
    await page.getByRole('heading', { name: 'Where the time went' }).waitFor()
    await page.getByText('Correct the named parameters and call again.').waitFor()
    await page.getByLabel('Arguments').getByText('a="no number"').waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('shows the log by its filters', async () => {
    await show('#/logs?source=daemon', 'Logs')
    await page.getByText('daemon is ready').waitFor()
    await page.getByLabel('Text', { exact: true }).fill('nothing says this')
    await page.getByText('No lines fit the filters').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Text', { exact: true }).fill('')
    await page.getByText('daemon is ready').waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('lists tools with their cost, and calls one by the form made from its schema', async () => {
    await show('#/tools?server=everything', 'Tools')
    await page.getByText(/tools, about .* tokens/).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'everything_get-sum' }).click()
    await page.getByLabel(/^a /).fill('one')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText('This is no number.').first().waitFor()
    await page.getByLabel(/^a /).fill('19')
    await page.getByLabel(/^b /).fill('23')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByLabel('Text 1 of the answer').getByText('The sum of 19 and 23 is 42.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await show('#/tools/everything_get-tiny-image', 'everything_get-tiny-image')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const picture = page.getByRole('img', { name: 'What the tool shows, 1' })
    await picture.waitFor()
    expect(await picture.evaluate((image) => 'naturalWidth' in image && image.naturalWidth)).toBeGreaterThan(0)
    expect(await findViolations(page)).toEqual([])
  })

  test('finds what is remembered, opens it, and deletes it for good', async () => {
    for (const title of ['The port was taken', 'The disk was full']) {
      const saved = await call('remediation_save', {
        errorMessage: title,
        solution: 'Ended the other program, and started again.',
      })
      expect(JSON.stringify(saved)).not.toContain('"isError":true')
    }
    await show('#/memory', 'Memory')
    await page.getByRole('link', { name: /The disk was full/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Search', { exact: true }).fill('port taken')
    await page.getByText('the best first').waitFor()
    await page.getByRole('link', { name: /The port was taken/ }).click()
    await page.getByText('Ended the other program').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete …' }).click()
    await page.getByRole('button', { name: 'Delete it for good' }).click()
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
    await page.getByText('1 remembered').waitFor()
    const { kinds } = await board.ask<{ kinds: object }>('run_command', {
      of: 'memory',
      command: 'count',
      params: {},
      workspace: '/',
    })
    expect(kinds).toMatchObject({ remediation: 1 })
  })

  test('keeps every view whole and accessible in dark and in narrow windows', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 320, height: 740 })
    for (const [hash, heading] of [
      ['#/servers', 'Servers'],
      ['#/servers/everything', 'everything'],
      ['#/instances', 'Windows'],
      ['#/calls', 'Calls'],
      ['#/logs', 'Logs'],
      ['#/tools', 'Tools'],
      ['#/tools/everything_get-sum', 'everything_get-sum'],
      ['#/memory', 'Memory'],
      ['#/lens', 'Lens'],
      ['#/nowhere', ''],
    ] as const) {
      if (heading === '') {
        await board.go(page, hash)
        await page.getByText('There is no view').waitFor()
      } else await show(hash, heading)
      expect({ hash, found: await findViolations(page) }).toEqual({ hash, found: [] })
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect({ hash, width }).toEqual({ hash, width: 320 })
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('is used by the keyboard alone', async () => {
    await show('#/servers', 'Servers')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Skip to the content')
    await page.keyboard.press('Tab')
    for (let step = 0; step < 2; step++) await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Calls')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Calls')
  })

  test('leaves the focus where it is when a button is pressed', async () => {
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent')
    await show('#/servers', 'Servers')
    await page.getByRole('button', { name: 'Restart fx' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('restarting', { exact: true }).waitFor()
    expect(await focused()).toBe('Restart')
    await show('#/tools/everything_echo', 'everything_echo')
    await page.getByLabel(/^message /).fill('hello')
    await page.getByRole('button', { name: 'Call', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Text 1 of the answer').waitFor()
    expect(await focused()).toBe('Call')
    await show('#/memory', 'Memory')
    await page.getByRole('link', { name: /The disk was full/ }).click()
    await page.getByRole('button', { name: 'Delete …' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete it for good' }).waitFor()
    expect(await focused()).toBe('Keep it')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Delete …' }).waitFor()
    expect(await focused()).toBe('Delete …')
  })

  test('closes its stream while nobody sees it, and lets nobody in after Leave', async () => {
    await show('#/servers', 'Servers')
    await page.locator('.live-live').waitFor()
    const isFeed = (request: { url(): string }): boolean => request.url().endsWith('/feed')
    const closed = page.waitForEvent('requestfailed', isFeed)
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    )
    await page.locator('.live-paused').waitFor({ state: 'attached' })
    await closed
    const asked: string[] = []
    const note = (request: { url(): string }): number => asked.push(request.url())
    page.on('request', note)
    // What would be told to whoever looks.
    for (let at = 0; at < 20; at++) await call('everything_echo', { message: 'nobody looks' })
    expect(asked).toEqual([])
    page.off('request', note)
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: false, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
    )
    await page.locator('.live-live').waitFor()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'A new link is needed' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('says so when the daemon is gone, and goes on when it is there again', async () => {
    page = await board.open()
    await page.locator('.live-live').waitFor()
    await page.route('**/dashboard/api/**', (route) => route.abort())
    await show('#/tools', 'Tools')
    await page.getByText('The daemon does not answer').waitFor()
    await page.getByText('connection lost, trying again').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.unroute('**/dashboard/api/**')
    await page.getByText(/tools, about .* tokens/).waitFor()
    await page.locator('.live-live').waitFor()
  })
})
