/** `up`: a daemon runs in the background when this resolves, and answers; whether it is ours or was there before. */
import { setTimeout as wait } from 'node:timers/promises'
import type { DaemonStatus } from '@switchboard/daemon/client'
import { SwitchboardError } from '@switchboard/protocol'
import type { CommandContext } from '../context/command-context.ts'
import { Spinner } from '../terminal/spinner.ts'
import { type DaemonLink, linkToDaemon } from './daemon-link.ts'
import { ensureDaemon } from './start-daemon.ts'

const POLL_MS = 25
const READY_MS = 20_000
const ANSWER_MS = 10_000

export interface UpOutcome {
  readonly report: DaemonStatus
  /** It did not run before. */
  readonly isNew: boolean
}

export async function startInBackground(context: CommandContext): Promise<UpOutcome> {
  const spinner = new Spinner(context.err, () => 'starting the daemon …')
  let link: DaemonLink | undefined
  try {
    link = await linkToDaemon(context)
    const isNew = link === undefined && (await start(context))
    link ??= await linkToDaemon(context)
    if (link === undefined) throw new SwitchboardError('daemon_unavailable', 'The daemon came up and was gone again.')
    return { report: await waitUntilRunning(context, link), isNew }
  } finally {
    spinner.stop()
    link?.client.close()
  }
}

/** Whether it was this command that started it: of two at once it is one. */
async function start(context: CommandContext): Promise<boolean> {
  const { home, io } = context
  try {
    const { socket, started } = await ensureDaemon({
      home,
      env: io.env,
      signal: io.signal,
      ...(home.isConfigExplicit ? { configFile: home.configFile } : {}),
    })
    socket.destroy()
    return started
  } catch (error) {
    if (!io.signal.aborted) throw error
    throw new SwitchboardError('cancelled', 'no longer waited for; the daemon may still come up', { cause: error })
  }
}

/** The door to agents over HTTP is opened last; what is printed shall be so. */
async function waitUntilRunning(context: CommandContext, { client, pid }: DaemonLink): Promise<DaemonStatus> {
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
