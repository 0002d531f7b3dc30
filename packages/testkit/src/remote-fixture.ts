import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { FixtureScript, FixtureTransport } from './fixture/script.ts'
import { fixtureCommand } from './fixture-process.ts'

export interface ExitInfo {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface RemoteFixture extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Default: SIGTERM. */
  kill(signal?: NodeJS.Signals): void
  readonly stopped: Promise<ExitInfo>
}

/**
 * Starts the fixture on 127.0.0.1 and resolves once it listens. It ends with us, since its stdin is ours to close.
 * To start it again at the same address, give the port of the first URL in `script.port`.
 */
export async function startRemoteFixture(
  script: FixtureScript,
  transport: Exclude<FixtureTransport, 'stdio'>,
): Promise<RemoteFixture> {
  const { command, args } = fixtureCommand({ ...script, transport })
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  const stopped: Promise<ExitInfo> = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000)
  })
  const failed = stopped.then(({ code, signal }) => {
    throw new Error(`The ${transport} fixture ended before it listened (code ${code}, signal ${signal}): ${stderr}`)
  })
  const url = await Promise.race([readUrl(child), failed])
  // From here on its end is news for `stopped` alone.
  failed.catch(() => {})
  const kill = (signal: NodeJS.Signals = 'SIGTERM') => void child.kill(signal)
  const dispose = async () => {
    if (child.exitCode === null && child.signalCode === null) kill('SIGKILL')
    await stopped
  }
  return { url, pid: child.pid ?? 0, kill, stopped, [Symbol.asyncDispose]: dispose }
}

/** The first line that announces readiness; what a script prints before it is passed over. */
function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{"ready":true')) return
      // Written by the fixture's `announce` in exactly this shape.
      resolve((JSON.parse(line) as { url: string }).url)
    })
  })
}
