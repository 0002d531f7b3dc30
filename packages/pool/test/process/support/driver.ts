import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { watchProgram } from '@switchboard/testkit'
import type { McpPoolInput, McpPoolOptions } from '../../../src/index.ts'

export interface PoolDriver {
  readonly pid: number
  /** Calls a tool without arguments and gives its answer as JSON. */
  call(tool: string): Promise<string>
  kill(signal: NodeJS.Signals): void
  readonly exited: Promise<{ code: number | null; signal: string | null }>
}

/** Starts a process that runs a pool, and resolves when its servers are up. */
export async function startPoolDriver(
  config: McpPoolInput,
  timings?: McpPoolOptions['timings'],
  defer?: (cleanup: () => unknown) => void,
): Promise<PoolDriver> {
  const path = fileURLToPath(new URL('../drivers/pool-driver.ts', import.meta.url))
  const options = ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...options, path, JSON.stringify({ config, timings })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  defer?.(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  await watchProgram(child).waitForLine((line) => line === 'ready' || undefined, { what: 'the driver to be ready' })
  const waiting: ((line: string) => void)[] = []
  const nextLine = () => new Promise<string>((resolve) => waiting.push(resolve))
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line))
  return {
    pid: child.pid ?? 0,
    call(tool) {
      const answer = nextLine()
      child.stdin.write(`${tool}\n`)
      return answer
    },
    kill: (signal) => void child.kill(signal),
    exited,
  }
}
