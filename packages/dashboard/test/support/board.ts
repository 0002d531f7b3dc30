/** The bundled daemon with a home of its own, and the dashboard in a real Chromium, opened by the link that a person gets. */
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join, sep } from 'node:path'
import { connectIpc, findEndpoint, type IpcClient } from '@switchboard/daemon/client'
import { homePaths } from '@switchboard/protocol/ipc'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  type PipedProgram,
  readObjectWith,
  startProgram,
  type TemporaryDirectory,
  waitFor,
} from '@switchboard/testkit'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const PATIENCE_MS = 60_000
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Undefined: there is none on this machine. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

export class Board {
  readonly home: TemporaryDirectory
  readonly browser: Browser
  readonly #program: PipedProgram
  #url = ''

  private constructor(home: TemporaryDirectory, browser: Browser, program: PipedProgram) {
    this.home = home
    this.browser = browser
    this.#program = program
  }

  static async start(config: object, chromiumPath: string): Promise<Board> {
    const home = await createTemporaryDirectory('switchboard-board-')
    await writeFile(home.file('config.json'), JSON.stringify(config), { mode: 0o600 })
    const browser = await chromium.launch({
      executablePath: chromiumPath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        // Every name is this machine: what a page that rebinds its own name brings about.
        '--host-resolver-rules=MAP * 127.0.0.1',
      ],
    })
    // After the browser: one that does not start leaves no daemon behind.
    const program = startProgram(['daemon', '--json'], { home: home.path, env: { SWITCHBOARD_HTTP_PORT: '0' } })
    const board = new Board(home, browser, program)
    await program.waitForLine(readObjectWith('pid', 'epoch', 'endpoint'), { what: 'the daemon to start' })
    await waitFor(async () => (await board.link().catch(() => '')) !== '', {
      what: 'the HTTP door',
      timeout: PATIENCE_MS,
    })
    return board
  }

  /** Of the HTTP door, without a path. */
  get url(): string {
    return this.#url
  }

  get pid(): number {
    return this.#program.pid
  }

  connect(): Promise<IpcClient> {
    return connectIpc(findEndpoint(homePaths(this.home.path, sep)))
  }

  async ask<T extends object>(method: string, params: object = {}): Promise<T> {
    const client = await this.connect()
    try {
      // Every method of the socket may be asked here.
      return await client.request<T>(method as 'status', { ...params }, { timeout: PATIENCE_MS })
    } finally {
      client.close()
    }
  }

  /** A new one, good once. */
  async link(): Promise<string> {
    const { url } = await this.ask<{ url: string }>('dashboard_link')
    this.#url = new URL(url).origin
    return url
  }

  /** A person's browser, with nothing in it. */
  context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    return this.browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  }

  /** The page, let in and at that view. */
  async open(hash = '#/servers', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await (await this.context(options)).newPage()
    await page.goto(await this.link())
    await page.getByRole('navigation').waitFor()
    await this.go(page, hash)
    return page
  }

  async go(page: Page, hash: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  }

  /** The view is there, with nothing that is still loading. */
  async show(page: Page, hash: string, heading: string): Promise<void> {
    await this.go(page, hash)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.getByText('Loading …').waitFor({ state: 'detached' })
  }

  async dispose(): Promise<void> {
    await this.browser.close()
    this.#program.child.kill('SIGTERM')
    await this.#program.ended
    await expectNoProcessLeft(this.home.path, PATIENCE_MS)
    await this.home.remove()
  }
}

/** What axe-core finds in the page as it is. */
export async function findViolations(page: Page): Promise<unknown> {
  await page.evaluate(AXE)
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ').slice(0, 400)))`,
  )
}
