/** A real Chromium that looks at pages of ours, each from the site that the test names, and brings back what they found. */
import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { createTemporaryDirectory } from '@switchboard/testkit'

const PROGRAMS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'chrome']
const PATIENCE_MS = 90_000

/** Undefined: there is none on this machine. */
export function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

export interface Page {
  /** The name by which the page believes to be served, such as `localhost` or `evil.example`: all are this machine. */
  readonly site: string
  /** Default: any free one. */
  readonly port?: number
  /** The body of an async function; what it returns is what the test gets. It has `target`, where the daemon is. */
  readonly script: string
}

/** What a page at that site finds when a person looks at it. */
export async function visit(browser: string, target: string, page: Page): Promise<JsonObject> {
  const { promise: told, resolve: tell } = Promise.withResolvers<string>()
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      tell(await readBody(request))
      response.end()
    } else response.setHeader('content-type', 'text/html').end(createDocument(target, page.script))
  })
  await new Promise<void>((resolve) => server.listen(page.port ?? 0, '127.0.0.1', resolve))
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo
  const profile = await createTemporaryDirectory('switchboard-browser-')
  const child = spawn(
    browser,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      `--user-data-dir=${profile.path}`,
      // Every name is this machine: what a page that rebinds its own name brings about.
      '--host-resolver-rules=MAP * 127.0.0.1',
      '--remote-debugging-port=0',
      `http://${page.site}:${port}/`,
    ],
    { detached: true, stdio: 'ignore', env: { ...process.env, HOME: profile.path } },
  )
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(`ended with ${code ?? signal}`))
  })
  const late = AbortSignal.timeout(PATIENCE_MS)
  const failed = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error('The page told nothing in time')))
    void ended.then((how) => reject(new Error(`The browser ${how} before the page told anything`)))
  })
  try {
    return JSON.parse(await Promise.race([told, failed])) as JsonObject
  } finally {
    failed.catch(() => undefined)
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
    await closeServer(server)
    await profile.remove()
  }
}

function createDocument(target: string, script: string): string {
  return `<!doctype html><title>a page</title><body><script type="module">
const target = ${JSON.stringify(target)}
const attempt = async () => { ${script} }
const found = await attempt().catch((error) => ({ error: String(error) }))
await fetch('/found', { method: 'POST', body: JSON.stringify(found) })
</script></body>`
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

function closeServer(server: Server): Promise<unknown> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
