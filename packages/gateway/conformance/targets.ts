/** What the suite is pointed at: the reference server itself, or the gateway with that server as its one upstream. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { McpPool } from '@switchboard/pool'
import { startGateway } from '../test/helpers/start-gateway.ts'
import type { Path } from './paths.ts'

export interface Target extends AsyncDisposable {
  readonly url: string
}

const PROGRAM = fileURLToPath(new URL('./reference-server.ts', import.meta.url))
const OPTIONS = ['--disable-warning=ExperimentalWarning']
/** The suite leaves calls behind that wait for answers; on stdio whoever comes next waits for their place. */
const PARKED_GRACE_MS = 200

/** Ends with this process at the latest, since it watches its stdin. */
async function startReferenceServer({ eras, asking }: Path): Promise<Target> {
  const child = spawn(process.execPath, [...OPTIONS, PROGRAM, 'http', eras, asking], {
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
async function startThrough(path: Path): Promise<Target> {
  const { eras, asking, era = 'auto' } = path
  const stack = new AsyncDisposableStack()
  try {
    const common = { tools: { prefix: false }, era } as const
    const args = [...OPTIONS, PROGRAM, 'stdio', eras, asking]
    const reference =
      path.by === 'http'
        ? { type: 'http' as const, url: stack.use(await startReferenceServer(path)).url, ...common }
        : { command: process.execPath, args, ...common }
    const pool = new McpPool({ mcpServers: { reference } })
    stack.defer(() => pool.close())
    pool.start()
    await pool.ready()
    const gateway = stack.use(await startGateway(pool, { parkedGrace: PARKED_GRACE_MS }))
    const whole = stack.move()
    return { url: gateway.url, [Symbol.asyncDispose]: () => whole.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

export function startTarget(path: Path): Promise<Target> {
  return path.by === 'direct' ? startReferenceServer(path) : startThrough(path)
}
