/**
 * `up --foreground`: the daemon in this process, and a view of it through the same socket that everybody else uses. Where a
 * daemon runs already, that one is shown and left alone.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Daemon, openDaemon } from '@switchboard/daemon'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { BackendServer } from '../backend/backend.ts'
import type { DaemonReport } from '../backend/daemon-report.ts'
import { SocketLink } from '../backend/socket-link.ts'
import { SwitchboardBackend } from '../backend/switchboard-backend.ts'
import { findClients } from '../clients/find-clients.ts'
import { quoteCommand } from '../clients/quote-command.ts'
import type { CommandContext } from '../context/command-context.ts'
import { type ConnectHeader, ensureConnectToken, formatHeader } from '../context/connect-header.ts'
import { homeArguments } from '../context/home.ts'
import { type ReachedDaemon, reachDaemon } from '../daemon-process/reach-daemon.ts'
import { askDashboardLink } from '../daemon-process/start-in-background.ts'
import { machineOf } from '../init/create-init-options.ts'
import { EXIT } from '../program/exit-code.ts'
import { programCommand } from '../program/program-command.ts'
import { VERSION } from '../program/program-version.ts'
import { formatAddress } from '../status/daemon-lines.ts'
import { watchInLines } from '../status/watch-in-lines.ts'
import { watchOnScreen } from '../status/watch-on-screen.ts'
import { EXAMPLE_ARGUMENTS } from '../status/welcome.ts'
import { formatPath } from '../terminal/format.ts'
import { renderFirstScreen } from './first-screen.ts'
import { describeTakeable, findTakeable, offerInit, type Takeable } from './offer-init.ts'

const POLL_MS = 25
/** One that has the lock and does not listen yet is just starting. */
const OTHERS_START_MS = 10_000

const STOPPING = 'stopping: calls under way may finish; Ctrl-C again does not wait …'

export async function runInForeground(context: CommandContext): Promise<number> {
  context.logHold.keep()
  await offerInit(context)
  if (context.io.signal.aborted) return EXIT.interrupted
  const found = await reachDaemon(context)
  if (found !== undefined) return show(context, found, undefined)
  const daemon = await startUnlessHeld(context)
  if (daemon === undefined) return show(context, await waitForOther(context), undefined)
  context.io.surviveStrays((error) => daemon.noteBug(error))
  const { force } = context.io
  const onForce = (): void => void daemon.close({ force: true })
  force.addEventListener('abort', onForce)
  try {
    const link = await reachDaemon(context)
    if (link === undefined) throw new SwitchboardError('daemon_unavailable', 'The daemon ended while it was started.')
    return await show(context, link, daemon)
  } finally {
    await daemon.close({ reason: 'the foreground ended', force: force.aborted })
    force.removeEventListener('abort', onForce)
  }
}

/** Undefined: somebody else was a moment faster. */
async function startUnlessHeld({ home, io }: CommandContext): Promise<Daemon | undefined> {
  const { isConfigExplicit } = home
  try {
    return await openDaemon({ paths: home, isConfigExplicit, version: VERSION, env: io.env })
  } catch (error) {
    if (error instanceof SwitchboardError && error.code === 'lock_held') return undefined
    throw error
  }
}

async function waitForOther(context: CommandContext): Promise<ReachedDaemon> {
  const deadline = Date.now() + OTHERS_START_MS
  for (;;) {
    const link = await reachDaemon(context)
    if (link !== undefined) return link
    if (Date.now() > deadline || context.io.signal.aborted) {
      throw new SwitchboardError(
        'daemon_unavailable',
        'Another daemon holds the lock of this home but does not listen.',
        {
          hint: 'switchboard down --force ends it.',
        },
      )
    }
    await wait(POLL_MS)
  }
}

/** `own`: ends with the view. */
async function show(context: CommandContext, link: ReachedDaemon, own: Daemon | undefined): Promise<number> {
  const backend = new SwitchboardBackend(context, new SocketLink({ ...link, inst: context.inst }))
  const stop = async (): Promise<void> => {
    await own?.close({ reason: 'the foreground ended', force: context.io.force.aborted })
    await backend.close()
  }
  try {
    const report = await backend.daemon()
    if (report === undefined) throw new Error('What answers on the socket of a daemon is none')
    const { http } = report.daemon
    const token = await ensureConnectToken(context.home, http !== null && 'url' in http ? http.auth : undefined)
    const dashboard = await askDashboardLink(link.client)
    const { out, io, isJson } = context
    const takeable = await findTakeable(machineOf(context), io.cwd)
    const header = (servers: readonly BackendServer[]): string[] =>
      createHeader(context, report, servers, { isOthers: own === undefined, token, dashboard, takeable })
    if (out.isTTY && io.stdin.isTTY === true && !isJson) {
      const quit = own === undefined ? 'leave' : 'stop'
      const farewell =
        own === undefined
          ? { stopped: `The daemon (pid ${link.pid}) goes on running.` }
          : {
              stopping: 'stopping: calls under way may finish; Ctrl-C does not wait …',
              stopped: 'Everything is stopped.',
            }
      return await watchOnScreen(context, backend, { header, stop, quit, farewell })
    }
    if (!isJson) for (const line of header(await backend.status())) out.line(line)
    const program = quoteCommand(programCommand(...homeArguments(context.home)), process.platform)
    const invitation = `${program} ${EXAMPLE_ARGUMENTS}`
    const code = await watchInLines(context, backend, { invitation })
    if (own !== undefined && io.signal.aborted && !isJson) out.line(STOPPING)
    return code
  } finally {
    await stop()
  }
}

interface Shown {
  readonly isOthers: boolean
  readonly token: ConnectHeader | undefined
  readonly dashboard: string | undefined
  readonly takeable: Takeable | undefined
}

function createHeader(
  context: CommandContext,
  { daemon }: DaemonReport,
  servers: readonly BackendServer[],
  { isOthers, token, dashboard, takeable }: Shown,
): string[] {
  const { out, home, io } = context
  const { http } = daemon
  const { platform } = process
  const where = homeArguments(home)
  const shorten = (path: string): string => formatPath(path, home.userHome)
  const header = token === undefined ? {} : { header: formatHeader(token) }
  return renderFirstScreen({
    style: out.style,
    http,
    ...header,
    dashboard,
    home: shorten(daemon.home),
    configFile: shorten(daemon.config_file),
    clients: findClients({
      env: io.env,
      platform,
      home: home.userHome,
      run: programCommand('mcp', ...where),
      ...(http !== null && 'url' in http ? { url: formatAddress(http.url), ...header } : {}),
    }),
    front: quoteCommand(programCommand('mcp', ...where), platform),
    program: quoteCommand(programCommand(...where), platform),
    shorten,
    hasServers: servers.length > 0,
    ...(takeable === undefined ? {} : { takeable: describeTakeable(takeable) }),
    ...(isOthers ? { attachedTo: { pid: daemon.pid } } : {}),
  })
}
