import { estimateToolTokens } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Backend, BackendServer } from '../backend/backend.ts'
import { type DaemonReport, readRefusal } from '../backend/daemon-report.ts'
import { RESTING_NOTE, runWithBackend, waitUntilSettled } from '../backend/run-with-backend.ts'
import type { CommandInput } from '../command-line/command-spec.ts'
import { readDuration } from '../command-line/read-duration.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { readInterruption } from '../program/io.ts'
import { toDaemonJson } from '../status/daemon-json.ts'
import { describeQueue, renderDaemonHeader, renderInstances } from '../status/daemon-lines.ts'
import { summarizeStates } from '../status/server-state.ts'
import { renderStatusTable } from '../status/status-table.ts'
import { renderStore, type ToldStore, toStoreJson } from '../status/store-lines.ts'
import { countTokensByServer, ofServers } from '../status/tool-tokens.ts'
import { renderWelcome } from '../status/welcome.ts'
import { formatCount, formatPath, formatTokens } from '../terminal/format.ts'
import { toSafeText } from '../terminal/safe-text.ts'

export async function run(context: CommandContext, { options, positionals }: CommandInput): Promise<number> {
  const [only] = positionals
  const wait = readDuration(options.text('wait') ?? '10s', 'wait', 'status')
  const isAlone = options.flag('no-daemon')
  if (!options.flag('watch')) {
    const shown = { only, wait, isAlone }
    return runWithBackend(context, { only, isAlone, aloneNote: RESTING_NOTE }, (backend) =>
      showOnce(context, backend, shown),
    )
  }
  context.logHold.keep()
  const isLive = context.out.isTTY && context.io.stdin.isTTY === true && !context.isJson
  return runWithBackend(context, { only, isAlone, watch: true, aloneNote: RESTING_NOTE }, async (backend) => {
    const daemon = await backend.daemon()
    if (daemon === undefined && !isAlone) throw createNothingToWatchError()
    if (!isLive) {
      const { watchInLines } = await import('../status/watch-in-lines.ts')
      return watchInLines(context, backend, { only })
    }
    const { watchOnScreen } = await import('../status/watch-on-screen.ts')
    if (daemon === undefined) return watchOnScreen(context, backend, { only })
    return watchOnScreen(context, backend, { only, farewell: { stopped: 'The daemon goes on running.' } })
  })
}

function createNothingToWatchError(): SwitchboardError {
  return new SwitchboardError('daemon_unavailable', 'No daemon is running: there is nothing to watch.', {
    hint: 'switchboard up starts it; with --no-daemon the servers run for the view alone.',
  })
}

interface ShownOnce {
  readonly only: string | undefined
  readonly wait: number
  readonly isAlone: boolean
}

async function showOnce(context: CommandContext, backend: Backend, options: ShownOnce): Promise<number> {
  const { io } = context
  const { only, wait, isAlone } = options
  const daemon = await backend.daemon()
  const isResting = daemon === undefined && !isAlone
  if (!isResting) backend.start()
  const all = isResting ? (await backend.status()).map(toResting) : await waitUntilSettled(context, backend, wait)
  const interruption = readInterruption(io.signal)
  if (interruption !== undefined) return exitCodeOfInterruption(interruption)
  const servers = all.filter(({ name }) => only === undefined || name === only)
  const tools = ofServers(await backend.tools(), servers)
  const profiles = only === undefined ? await backend.profiles() : []
  const { store, packs = [] } = only === undefined ? await backend.store() : {}
  const shown = { servers, tools, profiles, daemon, store, packs }
  if (context.isJson) printAsJson(context, shown)
  else printForPerson(context, shown)
  return EXIT.ok
}

/** One that would start at once is not "idle until its first use". */
function toResting(server: BackendServer): BackendServer {
  return server.state === 'idle' || server.state === 'starting' ? { ...server, state: 'stopped' } : server
}

interface Shown {
  readonly servers: Awaited<ReturnType<Backend['status']>>
  readonly tools: Awaited<ReturnType<Backend['tools']>>
  readonly profiles: Awaited<ReturnType<Backend['profiles']>>
  readonly daemon: DaemonReport | undefined
  readonly store: ToldStore | undefined
  readonly packs: NonNullable<Awaited<ReturnType<Backend['store']>>['packs']>
}

function printAsJson(context: CommandContext, { servers, tools, profiles, daemon, store, packs }: Shown): void {
  const byServer = countTokensByServer(tools)
  const withTokens = servers.map((server) => ({ ...server, tokens: byServer.get(server.name) ?? 0 }))
  printJson(context, {
    ...(daemon === undefined ? { daemon: null } : toDaemonJson(daemon)),
    servers: withTokens,
    tools: tools.length,
    tokens: estimateToolTokens(tools),
    profiles,
    packs,
    ...(store === undefined ? {} : { store: toStoreJson(store) }),
  })
}

function printForPerson(context: CommandContext, { servers, tools, profiles, daemon, store, packs }: Shown): void {
  const { out, home } = context
  const { style, width } = out
  const lines = { style, width, now: Date.now() }
  if (daemon !== undefined) {
    for (const line of renderDaemonHeader(daemon, lines)) out.line(line)
    printRefusal(context, daemon)
    out.line()
  }
  if (servers.length === 0) {
    const configFile = formatPath(daemon?.daemon.config_file ?? home.configFile, home.userHome)
    for (const line of renderWelcome({ style, width, configFile, isWatching: false })) out.line(line)
  } else {
    for (const line of renderStatusTable(servers, { style, width, tokens: countTokensByServer(tools) })) out.line(line)
    out.line()
    const cost = `${formatCount(tools.length, 'tool')}, about ${formatTokens(estimateToolTokens(tools))} tokens`
    out.line(style.dim(`  ${summarizeStates(servers)} · ${cost}`))
  }
  // Without servers too: packs have tools, and what they cost every conversation is to be seen.
  const told = profiles.filter(({ tools: listed }) => servers.length > 0 || listed > 0)
  if (servers.length === 0 && told.length > 0) out.line()
  for (const { name, tools: listed, tokens: cost } of told) {
    out.line(style.dim(`  profile ${name}: ${formatCount(listed, 'tool')}, about ${formatTokens(cost)} tokens`))
  }
  for (const line of store === undefined ? [] : renderStore(store, packs, lines)) out.line(`  ${line}`)
  if (daemon === undefined) return
  const instances = renderInstances(daemon.instances, lines)
  out.line()
  for (const line of instances) out.line(line)
  if (instances.length === 0) out.line(style.dim('  no windows are attached'))
  const queue = describeQueue(daemon.queue, daemon.recent_activity)
  if (queue !== undefined) out.line(style.dim(`  ${queue}`))
}

function printRefusal({ out }: CommandContext, daemon: DaemonReport): void {
  const refusal = readRefusal(daemon)
  if (refusal === undefined) return
  const { style } = out
  out.line(
    `  ${style.bold(style.red('The configuration is not applied'))} ${style.dim('(the servers go on with the old one)')}`,
  )
  for (const line of toSafeText(refusal).split('\n')) out.line(`  ${style.red(line)}`)
}
