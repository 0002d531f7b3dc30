/** Every command that needs servers goes through here: whatever happens, nothing of its own is left running. */
import type { CommandContext } from '../context/command-context.ts'
import { Spinner } from '../terminal/spinner.ts'
import type { Backend, BackendServer } from './backend.ts'

export interface BackendOptions {
  /** Only this server is meant; the others are still known, so that names stay what they are. */
  readonly only?: string | undefined
  /** Apply changes of the configuration file as they happen; a daemon does so anyway. */
  readonly watch?: boolean
  /** Never use the daemon: the servers run for this command only. */
  readonly isAlone?: boolean
  /** Said where no daemon runs. Default: that the servers run for this command only. */
  readonly aloneNote?: string
  /** It needs no server, so nobody need know who runs them. */
  readonly isSilent?: boolean
}

/** Said where there is no daemon, so that nobody waits for servers that are gone with the command. */
export const ALONE_NOTE = 'no daemon is running: servers run for this command only'

/** The same of a command that only looks, and starts nothing. */
export const RESTING_NOTE =
  'no daemon is running, and no server: switchboard up starts them, switchboard status --no-daemon tries them here'

export async function runWithBackend<T>(
  context: CommandContext,
  options: BackendOptions,
  use: (backend: Backend) => Promise<T>,
): Promise<T> {
  const daemon = options.isAlone === true ? undefined : await openDaemon(context, options)
  if (daemon !== undefined) return useDaemon(daemon, use)
  const { openMemoryBackend } = await import('./open-memory-backend.ts')
  const backend = await openMemoryBackend(context, options)
  if (options.isAlone !== true && options.isSilent !== true && !context.isJson) {
    context.err.line(context.err.style.dim(options.aloneNote ?? ALONE_NOTE))
  }
  const { force } = context.io
  const onForce = (): void => {
    context.log.warn('cli.interrupt', 'interrupted again: the servers are killed, not waited for')
    void backend.close({ force: true })
  }
  force.addEventListener('abort', onForce)
  try {
    return await use(backend)
  } finally {
    const spinner = new Spinner(context.err, () => 'stopping the servers …')
    await backend.close({ force: force.aborted })
    spinner.stop()
    force.removeEventListener('abort', onForce)
  }
}

/** Undefined: none runs, or it runs another configuration than the one that was named. */
async function openDaemon(context: CommandContext, { only }: BackendOptions): Promise<Backend | undefined> {
  const { openDaemonBackend } = await import('./open-daemon-backend.ts')
  return openDaemonBackend(context, only)
}

async function useDaemon<T>(backend: Backend, use: (backend: Backend) => Promise<T>): Promise<T> {
  try {
    return await use(backend)
  } finally {
    await backend.close()
  }
}

/** Up, or as far down as it goes for now. A server that waits for its first use is as it should be. */
function isSettled({ state }: BackendServer): boolean {
  return state !== 'starting'
}

/**
 * Waits until every server, or the only one that is meant, is up or has failed, at most `ms`; a spinner tells who is waited
 * for. A server that is just being tried again is given as it last settled.
 */
export async function waitUntilSettled(
  context: CommandContext,
  backend: Backend,
  ms: number,
  only?: string,
): Promise<readonly BackendServer[]> {
  const { signal } = context.io
  const settled = new Map<string, BackendServer>()
  let servers: readonly BackendServer[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    servers = (await backend.status()).filter(({ name }) => only === undefined || name === only)
    for (const server of servers) if (isSettled(server)) settled.set(keyOf(server), server)
    if (servers.every((server) => settled.has(keyOf(server)))) resolve()
  }
  const spinner = new Spinner(context.err, () => describeStart(servers))
  const subscription = backend.onDidChange(() => void look().catch(reject))
  void backend.lost.then(reject)
  const timer = setTimeout(resolve, ms)
  const onAbort = (): void => resolve()
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) resolve()
  try {
    await look()
    await promise
    await look()
    return servers.map((server) => (isSettled(server) ? server : (settled.get(keyOf(server)) ?? server)))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    subscription.dispose()
    spinner.stop()
  }
}

/** A private server has an entry for each of its owners. */
function keyOf({ name, owner = '' }: BackendServer): string {
  return `${name} ${owner}`
}

function describeStart(servers: readonly BackendServer[]): string {
  const waiting = servers.filter((server) => !isSettled(server)).map(({ name }) => name)
  const done = servers.length - waiting.length
  return `starting servers, ${done} of ${servers.length} done; waiting for ${waiting.join(', ')} …`
}
