/** The benchmark `dashboard`: what an open page costs the browser, and the calls that go on meanwhile. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type BrowserServer, chromium, type Page } from 'playwright-core'
import { buildCommand, buildPrograms } from '../build-programs.ts'
import type { BareClient } from '../drivers/bare-client.ts'
import { findProcessGroup, readCpu } from '../gateway/process-cpu.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { DaemonHome } from '../windows/daemon-home.ts'
import type { DashboardReport, DashboardRow } from './report.ts'
import { judgeTargets } from './targets.ts'

export interface DashboardOptions {
  readonly quick: boolean
  readonly rounds: number
  say(line: string): void
}

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const CALLS_PER_SECOND = 200
/** What a page and a browser do at their start is not what they cost. */
const SETTLE_MS = 3_000
const VIEWS = ['servers', 'calls'] as const

export async function runDashboard({ quick, rounds, say }: DashboardOptions): Promise<DashboardReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  await using programs = await buildPrograms()
  const { program } = await buildCommand()
  const servers = quick ? 5 : 50
  const seconds = quick ? 3 : 20
  await using home = await DaemonHome.create(programs, program, servers)
  const client = home.openFront()
  const browser = await chromium.launchServer({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  try {
    await client.shakeHands()
    await waitForServers(client, servers)
    const { page, origin } = await openPage(browser, program, home.directory)
    const rows: DashboardRow[] = []
    for (let round = 0; round < rounds; round++) {
      for (const view of round % 2 === 0 ? ['', ...VIEWS] : [...VIEWS, '']) {
        say(`round ${round + 1}: ${view === '' ? 'nobody looks' : `the view ${view}`}`)
        rows.push({ view, ...(await measure({ view, page, origin, browser, client, servers, seconds })) })
      }
    }
    const size = { servers, callsPerSecond: CALLS_PER_SECOND, seconds, rounds }
    return { machine, loadBefore, loadAfter: describeLoad(), quick, size, rows, targets: judgeTargets(rows) }
  } finally {
    await browser.close()
    await client.close()
  }
}

interface Measured {
  readonly view: string
  readonly page: Page
  readonly origin: string
  readonly browser: BrowserServer
  readonly client: BareClient
  readonly servers: number
  readonly seconds: number
}

async function measure({
  view,
  page,
  origin,
  browser,
  client,
  servers,
  seconds,
}: Measured): Promise<Omit<DashboardRow, 'view'>> {
  if (view === '') await page.goto('about:blank')
  else {
    await page.goto(`${origin}/dashboard#/${view}`)
    await page.locator('.live-live').waitFor()
  }
  const burst = callFor(client, servers, SETTLE_MS + seconds * 1_000)
  await delay(SETTLE_MS)
  const group = await findProcessGroup([browser.process().pid ?? 0], 'none of ours')
  const [begun, before] = [performance.now(), readCpu(group).own]
  const times = await burst
  const share = (readCpu(group).own - before) / (performance.now() - begun)
  return { browserShare: share, calls: times.length, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

interface OpenedPage {
  readonly page: Page
  /** It stays, while the page goes elsewhere and comes back. */
  readonly origin: string
}

async function openPage(browser: BrowserServer, program: string, home: string): Promise<OpenedPage> {
  const args = [program, '--home', home, 'dashboard', '--print']
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const connected = await chromium.connect(browser.wsEndpoint())
  const page = await (await connected.newContext({ viewport: { width: 1_280, height: 900 } })).newPage()
  await page.goto(stdout.trim())
  await page.getByRole('navigation').waitFor()
  return { page, origin: new URL(page.url()).origin }
}

/** So many calls a second, whatever each takes. Resolves to how long they took. */
async function callFor(client: BareClient, servers: number, ms: number): Promise<number[]> {
  const times: number[] = []
  const calls: Promise<void>[] = []
  const begun = performance.now()
  for (let count = 0; performance.now() - begun < ms; ) {
    const due = ((performance.now() - begun) / 1_000) * CALLS_PER_SECOND
    for (; count < due; count++) calls.push(callOnce(client, `bench-${(count % servers) + 1}_echo`, times))
    await delay(5)
  }
  await Promise.all(calls)
  return times
}

async function callOnce(client: BareClient, name: string, times: number[]): Promise<void> {
  const begun = performance.now()
  await client.request('tools/call', { name, arguments: { text: 'bench' } })
  times.push(performance.now() - begun)
}

async function waitForServers(client: BareClient, servers: number): Promise<void> {
  for (let index = 1; index <= servers; index++) await callOnce(client, `bench-${index}_echo`, [])
}

function findBrowser(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
  if (found === undefined) throw new Error('No Chromium is on the PATH: apt-get install chromium-headless-shell')
  return found
}
