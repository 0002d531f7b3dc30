/**
 * A real VS Code: the server of code-server, which `npm test` installs into .toolchain (scripts/run/vscode-parts.mjs), its
 * workbench in a headless Chromium, and our extension as people install it, from the .vsix.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTemporaryDirectory, findFreePort, type TemporaryDirectory, waitFor } from '@switchboard/testkit'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { Control, type ExtensionHost } from './control.ts'

/** `scripts/run/vscode-parts.mjs` puts it there. */
const SERVER = fileURLToPath(
  new URL('../../../../.toolchain/vscode/package/lib/vscode/out/server-main.js', import.meta.url),
)
/** `scripts/run/current-bundle.mjs` makes it before the first test. */
const VSIX = fileURLToPath(new URL('../../dist/switchboard-0.1.0.vsix', import.meta.url))
/** Extensions of the tests, by their names. */
const EXTENSIONS = ['control', 'python'] as const
/** In which VS Code starts an extension host again, if it does. */
const HOST_START_MS = 30_000
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const run = promisify(execFile)

const BROWSER_OPTIONS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Nothing but this machine is reached.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]

export interface EditorParts {
  readonly server: string
  readonly browser: string
}

/** Undefined: one of them is not on this machine. */
export function findEditorParts(): EditorParts | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const browser = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  )
  return !existsSync(SERVER) || browser === undefined ? undefined : { server: SERVER, browser }
}

export class Editor {
  readonly directory: TemporaryDirectory
  readonly #server: ChildProcess
  readonly #browser: Browser
  readonly #context: BrowserContext
  readonly #control: Control
  readonly #url: string

  private constructor(parts: {
    directory: TemporaryDirectory
    server: ChildProcess
    browser: Browser
    context: BrowserContext
    control: Control
    url: string
  }) {
    this.directory = parts.directory
    this.#server = parts.server
    this.#browser = parts.browser
    this.#context = parts.context
    this.#control = parts.control
    this.#url = parts.url
  }

  static async start({ server: program, browser: browserFile }: EditorParts): Promise<Editor> {
    const directory = await createTemporaryDirectory('sb-vs-')
    const at = (...parts: string[]): string => directory.file(join(...parts))
    for (const name of ['home', 'tmp', 'data/data/User', 'switchboard']) await mkdir(at(name), { recursive: true })
    await writeFile(
      at('data/data/User/settings.json'),
      JSON.stringify({
        'workbench.startupEditor': 'none',
        'extensions.ignoreRecommendations': true,
        'security.workspace.trust.enabled': false,
        'telemetry.telemetryLevel': 'off',
        'workbench.tips.enabled': false,
        // It would be looked for on the network, by a process that stays.
        'typescript.disableAutomaticTypeAcquisition': true,
        'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
      }),
    )
    const env = createEnvironment(at)
    const folders = ['--server-data-dir', at('data'), '--extensions-dir', at('extensions')]
    // Folders that are there before the first installation are taken for installed.
    for (const name of EXTENSIONS) {
      const source = fileURLToPath(new URL(`../fixtures/${name}-extension/`, import.meta.url))
      await cp(source, at('extensions', `switchboard-tests.${name}-1.0.0`), { recursive: true })
    }
    await run(process.execPath, [program, ...folders, '--install-extension', VSIX], { env, cwd: at('home') })
    const control = await Control.listen(at('control.sock'))
    const port = await findFreePort()
    const place = ['--host', '127.0.0.1', '--port', String(port)]
    const quiet = ['--without-connection-token', '--accept-server-license-terms', '--reconnection-grace-time', '2']
    const server = spawn(process.execPath, [program, ...folders, ...place, ...quiet], {
      env,
      cwd: at('home'),
      stdio: 'ignore',
    })
    const url = `http://127.0.0.1:${port}/`
    await waitFor(async () => (await fetch(url)).ok, { timeout: 60_000, interval: 100, what: 'the server of VS Code' })
    const browser = await chromium.launch({
      executablePath: browserFile,
      headless: true,
      args: BROWSER_OPTIONS,
      env: { ...env, PATH: process.env.PATH ?? '' },
    })
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    return new Editor({ directory, server, browser, context, control, url })
  }

  /** The home of the Switchboard of all windows. */
  get home(): string {
    return this.directory.file('switchboard')
  }

  /** A folder, a `.code-workspace` file, or neither. */
  async open(place: { folder?: string; workspace?: string } = {}): Promise<EditorWindow> {
    const page = await this.#context.newPage()
    const query = new URLSearchParams(place.folder === undefined ? { ew: 'true' } : { folder: place.folder })
    if (place.workspace !== undefined) {
      query.delete('ew')
      query.set('workspace', place.workspace)
    }
    await page.goto(`${this.#url}?${query}`)
    return new EditorWindow(page, this.#control, await this.#control.next())
  }

  async close(): Promise<void> {
    await this.#context.close()
    await this.#browser.close()
    this.#control.close()
    const ended = new Promise((resolve) => this.#server.once('exit', resolve))
    this.#server.kill('SIGTERM')
    await ended
  }
}

export class EditorWindow {
  readonly page: Page
  readonly #control: Control
  host: ExtensionHost

  constructor(page: Page, control: Control, host: ExtensionHost) {
    this.page = page
    this.#control = control
    this.host = host
  }

  /**
   * A window knows its folders a moment after its extension host is up; VS Code itself activates us later than that.
   *
   * One that opens a `.code-workspace` for the first time may never know them: VS Code sets it up from what it remembers of that
   * file, which is nothing, while it reads the file, and where that is done in between, the window stays without folders and says
   * so. It remembers the file then, and the next load has them.
   */
  async waitForFolders(): Promise<void> {
    const empty = this.page.getByText('You have not yet added a folder to the workspace')
    const isKnown = async (): Promise<boolean> =>
      (await this.host.run<number>('return vscode.workspace.workspaceFolders?.length ?? 0')) > 0
    await waitFor(
      async () => {
        if (await isKnown()) return true
        if (await empty.isVisible()) await this.reload()
        return false
      },
      { timeout: 120_000, what: 'the folders of the window' },
    )
  }

  /** As a person does it, by the command. */
  async reload(): Promise<void> {
    this.host.send("setTimeout(() => vscode.commands.executeCommand('workbench.action.reloadWindow'), 50)")
    this.host = await this.#control.next()
  }

  /** Of a window that is about to reload. */
  async nextHost(): Promise<void> {
    this.host = await this.#control.next()
  }

  /**
   * VS Code starts the next one by itself; where its server does not tell within two seconds how the first one ended, because the
   * machine is busy, it starts none, and a person loads the window again.
   */
  async killHost(): Promise<void> {
    process.kill(this.host.pid, 'SIGKILL')
    await waitFor(() => this.host.isGone, { what: 'the end of the extension host' })
    const isThere = await this.#control.hasNext(HOST_START_MS)
    if (!isThere) await this.page.reload()
    this.host = await this.#control.next()
  }

  async close(): Promise<void> {
    await this.page.close()
    await waitFor(() => this.host.isGone, { what: 'the end of the extension host' })
  }
}

/** No Node on the PATH that would do: the extension has to run on VS Code's own. */
function createEnvironment(at: (...parts: string[]) => string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: at('home'),
    TMPDIR: at('tmp'),
    LANG: 'C.UTF-8',
    SWITCHBOARD_HOME: at('switchboard'),
    SWITCHBOARD_HTTP_PORT: '0',
    SWITCHBOARD_TEST_CONTROL: at('control.sock'),
    EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9","itemUrl":"http://127.0.0.1:9"}',
  }
}
