/** `up`: a daemon runs in the background when this resolves, and answers; whether it is ours or was there before. */
import { setTimeout as wait } from 'node:timers/promises'
import { type DaemonStatus, IpcClient } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandContext } from '../context/command-context.ts'
import { type ConnectHeader, ensureConnectToken } from '../context/connect-header.ts'
import { Spinner } from '../terminal/spinner.ts'
import { ensureDaemon, type RunningDaemon } from './ensure-daemon.ts'
import { greetDaemon, type ReachedDaemon, reachDaemon } from './reach-daemon.ts'

const POLL_MS = 25
const READY_MS = 20_000
const ANSWER_MS = 10_000

export interface UpOutcome {
  readonly report: DaemonStatus
  /** It did not run before. */
  readonly isNew: boolean
  /** What clients over HTTP need besides the address, if anything. */
  readonly header: ConnectHeader | undefined
  /** A link to the dashboard, good once. Undefined: there is no HTTP, or the daemon is an older one. */
  readonly dashboard: string | undefined
}

/** `needsDashboard`: rejects with why there is no link. */
export async function startInBackground(
  context: CommandContext,
  { needsDashboard = false }: { readonly needsDashboard?: boolean } = {},
): Promise<UpOutcome> {
  const spinner = new Spinner(context.err, () => 'starting the daemon …')
  let link: ReachedDaemon | undefined
  try {
    link = await reachDaemon(context)
    let isNew = false
    if (link === undefined) {
      const { socket, started } = await start(context)
      isNew = started
      // The same connection: a named pipe that was opened and closed at once may refuse the next one for a moment.
      link = await greetDaemon(context, new IpcClient(socket))
    }
    if (link === undefined) throw new SwitchboardError('daemon_unavailable', 'The daemon came up and was gone again.')
    const report = await waitUntilRunning(context, link)
    const { http } = report.daemon
    const policy = http !== null && 'url' in http ? http.auth : undefined
    const dashboard = await askDashboardLink(link.client, needsDashboard)
    return { report, isNew, header: await ensureConnectToken(context.home, policy), dashboard }
  } finally {
    spinner.stop()
    link?.client.close()
  }
}

/** Where it is not what was asked for, nobody fails for the want of it. */
export async function askDashboardLink(client: IpcClient, isNeeded = false): Promise<string | undefined> {
  try {
    return (await client.request<{ url: string }>('dashboard_link', {}, { timeout: ANSWER_MS })).url
  } catch (error) {
    if (isNeeded) throw error
    return undefined
  }
}

async function start(context: CommandContext): Promise<RunningDaemon> {
  const { home, io } = context
  try {
    return await ensureDaemon({
      home,
      env: io.env,
      signal: io.signal,
      ...(home.isConfigExplicit ? { configFile: home.configFile } : {}),
    })
  } catch (error) {
    if (!io.signal.aborted) throw error
    throw new SwitchboardError('cancelled', 'no longer waited for; the daemon may still come up', { cause: error })
  }
}

/** The door to agents over HTTP is opened last; what is printed shall be so. */
async function waitUntilRunning(context: CommandContext, { client, pid }: ReachedDaemon): Promise<DaemonStatus> {
  const deadline = Date.now() + READY_MS
  for (;;) {
    const options = { timeout: ANSWER_MS, signal: context.io.signal }
    const report = await client.request<DaemonStatus>('status', {}, options)
    if (report.daemon.state !== 'starting') return report
    if (Date.now() > deadline) {
      throw new SwitchboardError('daemon_unavailable', `The daemon (pid ${pid}) has not finished starting.`, {
        hint: 'switchboard logs --source daemon shows what it is at.',
      })
    }
    await wait(POLL_MS)
  }
}
