/**
 * A server that npm has, added by the command as a person adds one, while the tour goes on: npm fetches it over the network, and
 * needs some seconds for that. Where there is no network the tour says so, and is a tour all the same.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Backend, BackendServer } from '../backend/backend.ts'
import { type Io, throwOnInterruption } from '../program/io.ts'
import { programCommand } from '../program/program-command.ts'
import type { DemoHome } from './demo-home.ts'

export const NPM_SERVER = 'everything'
const COMMAND = ['npx', '-y', '@modelcontextprotocol/server-everything@2026.8.31']
export const ADD_COMMAND = ['server', 'add', NPM_SERVER, '--', ...COMMAND]

const MOST_MS = 45_000
const PAUSE_MS = 250
/** One that fails so often does so for a reason that stays. */
const TRIES = 2

type Env = Readonly<Record<string, string | undefined>>

export async function addNpmServer({ folder, home }: DemoHome, env: Env, signal: AbortSignal): Promise<void> {
  const own = [
    // What npm fetches and compiles goes into the folder of the tour, and goes with it.
    `npm_config_cache=${join(folder, 'npm')}`,
    'NODE_DISABLE_COMPILE_CACHE=1',
    // A network that is not there is noticed at once.
    'npm_config_fetch_retries=0',
    'npm_config_update_notifier=false',
  ]
  const [command = '', ...args] = programCommand(
    ...['server', 'add', NPM_SERVER, '--home', home, '--set', 'inheritEnv=true', '--set', 'initTimeout=60s'],
    ...own.flatMap((variable) => ['--env', variable]),
    ...['--', ...COMMAND],
  )
  await promisify(execFile)(command, args, { env: { ...env }, signal })
}

/** Ready, or as far as it came. */
export async function waitForNpmServer(backend: Backend, io: Io): Promise<BackendServer | undefined> {
  const started = performance.now()
  for (;;) {
    throwOnInterruption(io)
    const server = (await backend.status()).find(({ name }) => name === NPM_SERVER)
    const isLost = server?.state === 'not_installed' || (server?.attempt ?? 0) > TRIES
    if (server?.state === 'ready' || isLost || performance.now() - started > MOST_MS) return server
    await wait(PAUSE_MS)
  }
}
