import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
/** Where the programs of a run are built. */
export const BUILT = fileURLToPath(new URL('../../dist', import.meta.url))

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export function runBenchmark(...args: string[]): Promise<Outcome> {
  const options = ['--disable-warning=ExperimentalWarning', '--conditions=switchboard-source', MAIN, ...args]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, options, { maxBuffer: 2 ** 24 }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
