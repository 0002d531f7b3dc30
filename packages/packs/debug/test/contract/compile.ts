import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export async function compile(command: string, args: readonly string[], cwd: string): Promise<void> {
  await run(command, args, { cwd, timeout: 380_000 })
}
