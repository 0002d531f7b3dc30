/** Every command that needs servers goes through here: whatever happens, nothing is left running. */
import type { CommandContext } from '../context/command-context.ts'
import { Spinner } from '../terminal/spinner.ts'
import type { Backend, BackendServer } from './backend.ts'
import type { InProcessBackendOptions } from './in-process-backend.ts'

export async function runWithBackend<T>(
  context: CommandContext,
  options: InProcessBackendOptions,
  use: (backend: Backend) => Promise<T>,
): Promise<T> {
  const { openInProcessBackend } = await import('./in-process-backend.ts')
  const backend = await openInProcessBackend(context, options)
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

/** Up, or as far down as it goes for now. A server that waits for its first use is as it should be. */
function isSettled({ state }: BackendServer): boolean {
  return state !== 'starting'
}

/**
 * Waits until every server is up or has failed, at most `ms`; a spinner tells who is waited for. A server that is
 * just being tried again is given as it last settled.
 */
export async function waitUntilSettled(
  context: CommandContext,
  backend: Backend,
  ms: number,
): Promise<readonly BackendServer[]> {
  const { signal } = context.io
  const settled = new Map<string, BackendServer>()
  let servers: readonly BackendServer[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    servers = await backend.status()
    for (const server of servers) if (isSettled(server)) settled.set(keyOf(server), server)
    if (servers.every((server) => settled.has(keyOf(server)))) resolve()
  }
  const spinner = new Spinner(context.err, () => describeStart(servers))
  const subscription = backend.onDidChange(() => void look())
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
