/** What the suite is pointed at: the reference server itself, or the gateway with that server as its one upstream. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { McpPool } from '@switchboard/pool'
import { startGateway } from '../test/helpers/start-gateway.ts'
import type { Path } from './comparison.ts'
import type { Eras } from './reference/serve-http.ts'

export interface Target extends AsyncDisposable {
  readonly url: string
}

const PROGRAM = fileURLToPath(new URL('./reference-server.ts', import.meta.url))
const OPTIONS = ['--disable-warning=ExperimentalWarning']

/** Ends with this process at the latest, since it watches its stdin. */
async function startReferenceServer(eras: Eras = 'dual'): Promise<Target> {
  const child = spawn(process.execPath, [...OPTIONS, PROGRAM, 'http', eras], {
    stdio: ['pipe', 'pipe', 'inherit'],
    windowsHide: true,
  })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([
    once(lines, 'line'),
    exited.then(([code]) => {
      throw new Error(`The reference server ended before it listened (exit code ${code})`)
    }),
  ])
  const { url } = JSON.parse(String(line)) as { url: string }
  const stop = async (): Promise<void> => {
    child.stdin.end()
    await exited
  }
  return { url, [Symbol.asyncDispose]: stop }
}

/** The upstream has no prefix, so that the suite finds the names it knows. */
async function startThrough(transport: 'http' | 'stdio', eras: Eras): Promise<Target> {
  const stack = new AsyncDisposableStack()
  try {
    const tools = { prefix: false } as const
    const stdio = { command: process.execPath, args: [...OPTIONS, PROGRAM, 'stdio', eras], tools }
    const reference =
      transport === 'http'
        ? { type: 'http' as const, url: stack.use(await startReferenceServer(eras)).url, tools }
        : stdio
    // On a loaded machine the server starts slowly; it must not be taken for a legacy one because of that.
    const pool = new McpPool({ mcpServers: { reference } }, { timings: { eraProbeTimeout: 20_000 } })
    stack.defer(() => pool.close())
    pool.start()
    await pool.ready()
    const gateway = stack.use(await startGateway(pool))
    const whole = stack.move()
    return { url: gateway.url, [Symbol.asyncDispose]: () => whole.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

export function startTarget(path: Path): Promise<Target> {
  switch (path) {
    case 'direct':
      return startReferenceServer()
    case 'http':
    case 'stdio':
      return startThrough(path, 'dual')
    case 'http-legacy':
      return startThrough('http', 'legacy')
    case 'stdio-legacy':
      return startThrough('stdio', 'legacy')
  }
}
