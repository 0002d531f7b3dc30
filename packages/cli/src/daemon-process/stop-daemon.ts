/**
 * Ends the daemon of a home and waits until it is gone: its process, and with it the lock, its socket and its servers.
 * It is asked first, always. Signals are sent only with `force`, only when asking did not help, and only to a process
 * that is a daemon by its own words (the info file) and by its command line.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type DaemonStatus, readDaemonInfo } from '@switchboard/daemon/client'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { DaemonInfo } from '@switchboard/protocol/ipc'
import type { CommandContext } from '../context/command-context.ts'
import { formatCount, formatDuration } from '../terminal/format.ts'
import { Spinner } from '../terminal/spinner.ts'
import { isDaemonProcess, isRunning } from './process-identity.ts'
import { isConnectionLost, type ReachedDaemon, reachDaemon } from './reach-daemon.ts'

const POLL_MS = 20
/** Who forces waits so long for one that lives and does not listen. */
const START_MS = 10_000
/** Besides the draining: stopping the servers, which have a grace of their own. Nobody listens in that time. */
const END_MS = 30_000
/** What is waited at most for a drain whose length only the daemon knows. */
const UNKNOWN_DRAIN_MS = 60_000
const TERM_MS = 8_000
const KILL_MS = 5_000

export interface StopOptions {
  /** Milliseconds; absent: as the daemon is configured. */
  readonly drain?: number
  readonly force: boolean
}

export type StopOutcome =
  | { readonly kind: 'not_running' }
  | { readonly kind: 'stopped'; readonly pid: number; readonly wasForced: boolean }

export async function stopDaemon(context: CommandContext, options: StopOptions): Promise<StopOutcome> {
  let link: ReachedDaemon | undefined
  try {
    link = await findDaemon(context, options.force ? START_MS : END_MS)
  } catch (thrown) {
    const error = toSwitchboardError(thrown)
    if (!options.force || error.code !== 'daemon_unavailable') throw thrown
    return forceEnd(context, await readInfo(context), error)
  }
  if (link === undefined) return { kind: 'not_running' }
  try {
    await askToStop(context, link, options)
    return { kind: 'stopped', pid: link.pid, wasForced: false }
  } catch (thrown) {
    const error = toSwitchboardError(thrown)
    if (!options.force || error.code !== 'daemon_unavailable') throw thrown
    return forceEnd(context, { pid: link.pid }, error)
  } finally {
    link.client.close()
  }
}

/** Waits for one that is just starting, or ending. Rejects with `daemon_unavailable` when one lives and cannot be asked. */
async function findDaemon(context: CommandContext, patience: number): Promise<ReachedDaemon | undefined> {
  const deadline = Date.now() + patience
  for (;;) {
    const link = await reachDaemon(context)
    if (link !== undefined) return link
    const info = await readInfo(context)
    if (info === undefined || !(await isDaemonProcess(info.pid))) return undefined
    if (Date.now() > deadline) {
      throw new SwitchboardError('daemon_unavailable', `The daemon (pid ${info.pid}) lives but does not listen.`, {
        hint: 'End it with switchboard down --force.',
        details: { pid: info.pid },
      })
    }
    await wait(POLL_MS, undefined, { signal: context.io.signal }).catch(throwOnInterruption)
  }
}

async function askToStop(context: CommandContext, { client, pid }: ReachedDaemon, options: StopOptions): Promise<void> {
  const { drain } = options
  const calls = await countCalls(client).catch(() => 0)
  const params = { graceful: true, ...(drain === undefined ? {} : { drain_ms: drain }) }
  const asked = client.request('shutdown', params, { timeout: TERM_MS, signal: context.io.signal })
  // One that ends at once, for somebody else perhaps, may be gone before it answers: that is no failure.
  await asked.catch((error: unknown) => {
    if (!isConnectionLost(error)) throw error
  })
  const limit = (drain ?? UNKNOWN_DRAIN_MS) + END_MS
  const spinner = tellWaiting(context, pid, calls, drain)
  try {
    if (await waitUntilGone(context, pid, limit)) return
  } finally {
    spinner.stop()
  }
  throw new SwitchboardError(
    'daemon_unavailable',
    `The daemon (pid ${pid}) has not ended within ${formatDuration(limit)}.`,
    { hint: 'End it with switchboard down --force.', details: { pid } },
  )
}

async function countCalls(client: ReachedDaemon['client']): Promise<number> {
  const { servers } = await client.request<DaemonStatus>('status', {}, { timeout: TERM_MS })
  return servers.reduce((sum, { inFlight, queued }) => sum + inFlight + queued, 0)
}

function tellWaiting(context: CommandContext, pid: number, calls: number, drain: number | undefined): Spinner {
  const { err, isJson } = context
  const most = drain === undefined ? '' : `, at most ${formatDuration(drain)}`
  const waiting = calls === 0 || drain === 0 ? '' : `; ${formatCount(calls, 'call')} under way may finish first${most}`
  const text = `stopping the daemon (pid ${pid})${waiting} …`
  if (!isJson && !err.isTTY && waiting !== '') err.line(text)
  return new Spinner(err, () => text)
}

async function forceEnd(
  context: CommandContext,
  info: Pick<DaemonInfo, 'pid'> | undefined,
  why: SwitchboardError,
): Promise<StopOutcome> {
  if (info === undefined) {
    throw new SwitchboardError('daemon_unavailable', `${why.message} Nothing says which process it is.`, {
      hint: 'Look for a process "switchboard.mjs daemon" and end it yourself.',
      cause: why,
    })
  }
  const { pid } = info
  if (!(await isDaemonProcess(pid))) {
    if (!(await isRunning(pid))) return { kind: 'stopped', pid, wasForced: false }
    throw new SwitchboardError('daemon_unavailable', `The process ${pid} is no Switchboard daemon; it is left alone.`, {
      hint: 'Its number stands in daemon.json of an earlier daemon. Look for a process "switchboard.mjs daemon" yourself.',
      details: { pid },
      cause: why,
    })
  }
  context.log.warn('cli.down', `ending the daemon by force: ${why.message}`, { pid })
  for (const [signal, ms] of [
    ['SIGTERM', TERM_MS],
    ['SIGKILL', KILL_MS],
  ] as const) {
    if (await isDaemonProcess(pid)) process.kill(pid, signal)
    if (await waitUntilGone(context, pid, ms)) return { kind: 'stopped', pid, wasForced: true }
  }
  throw new SwitchboardError('daemon_unavailable', `The process ${pid} does not end, not even by SIGKILL.`, {
    hint: 'The system holds it, on a disk that does not answer perhaps.',
    details: { pid },
  })
}

/** False: it is still there after that time. The kernel has given the lock back when the process is gone. */
async function waitUntilGone(context: CommandContext, pid: number, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms
  while (await isRunning(pid)) {
    if (Date.now() > deadline) return false
    await wait(POLL_MS, undefined, { signal: context.io.signal }).catch(throwOnInterruption)
  }
  return true
}

function readInfo(context: CommandContext): Promise<DaemonInfo | undefined> {
  return readDaemonInfo(context.home.info)
}

function throwOnInterruption(): never {
  throw new SwitchboardError('cancelled', 'no longer waited for; what was asked to stop goes on stopping')
}
