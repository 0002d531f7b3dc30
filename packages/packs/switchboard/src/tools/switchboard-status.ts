/** What an agent may know of the whole: servers, itself, and how many windows there are besides. */
import type { Caller } from '@switchboard/protocol'
import { maskText } from '@switchboard/telemetry'
import type { ToolOutcome } from '@switchboard/toolkit'
import type {
  ShownDaemon,
  ShownPack,
  ShownServer,
  ShownStore,
  SwitchboardStatusData,
  SwitchboardStatusParams,
} from '../generated/types.ts'
import type { PackSummary, ServerSummary, StoreSummary, SwitchboardContext, SwitchboardServices } from '../services.ts'

export async function run(
  _params: SwitchboardStatusParams,
  { call: { caller }, host: { services } }: SwitchboardContext,
): Promise<ToolOutcome<SwitchboardStatusData>> {
  const { instance, profile, workspace, era } = caller
  const scope = services.scopeOf(caller)
  const isShown = ({ name }: { readonly name: string }): boolean => scope?.(name) ?? true
  // Of a private server only the caller's own is its business.
  const servers = services
    .servers()
    .filter(isShown)
    .filter(({ name }) => !services.isElsewhere(caller, name))
    .filter(({ owner }) => owner === undefined || owner === instance)
  const packs = services.packs().filter(isShown).map(showPack)
  const mode = findMode(services, instance)
  const store = await services.store?.()
  const daemon = showDaemon(services, caller)
  const windows = services.countOtherWindows(instance)
  const remarks = services.remarksFor(caller)
  const others = `${windows} other ${windows === 1 ? 'window' : 'windows'}`
  return {
    text: [
      `Switchboard ${services.version}, ${daemon === undefined ? 'without a daemon' : `daemon pid ${daemon.pid}`}; ${others}`,
      `This session: ${instance ?? 'over HTTP'}${mode === undefined ? '' : `, mode ${mode ?? 'not set'}`}`,
      ...(servers.length === 0 ? ['No servers are configured.'] : servers.map(formatServer)),
      ...packs.filter(({ state }) => state === 'failed').map(formatState),
      ...remarks,
      ...(store?.state === 'failed' ? [`- store: failed: ${maskText(store.reason ?? '')}`] : []),
    ].join('\n'),
    data: {
      version: services.version,
      daemon: daemon ?? null,
      servers: servers.map(showServer),
      packs,
      ...(store === undefined ? {} : { store: showStore(store) }),
      instance: {
        id: instance ?? null,
        ...(profile === undefined ? {} : { profile }),
        era,
        ...(workspace === undefined ? {} : { workspace }),
        ...(mode === undefined ? {} : { mode }),
      },
      otherWindows: windows,
      ...(remarks.length === 0 ? {} : { remarks: [...remarks] }),
    },
  }
}

function showStore(store: StoreSummary): ShownStore {
  return store.reason === undefined ? store : { ...store, reason: maskText(store.reason) }
}

/** Null: none is set. Undefined: none are configured. */
function findMode({ modes }: SwitchboardServices, instance: string | undefined): string | null | undefined {
  if (modes === undefined || modes.list().length === 0) return undefined
  return (instance === undefined ? modes.forHttp() : modes.read(instance)?.mode) ?? null
}

/** Where its socket is helps those who are on this machine as its user; over HTTP it is a path of somebody's home. */
function showDaemon(services: SwitchboardServices, { instance }: Caller): ShownDaemon | undefined {
  const daemon = services.daemon()
  if (daemon === undefined || instance !== undefined) return daemon
  const { endpoint: _path, ...shown } = daemon
  return shown
}

function showServer(server: ServerSummary): ShownServer {
  const { name, state, era, uptimeMs, restarts, nextAttemptInMs, reason, install, tools, inFlight, queued, trust } =
    server
  return {
    name,
    state,
    tools,
    restarts,
    inFlight,
    queued,
    ...(era === undefined ? {} : { era }),
    ...(uptimeMs === undefined ? {} : { uptimeMs }),
    ...(nextAttemptInMs === undefined ? {} : { nextAttemptInMs }),
    ...(reason === undefined ? {} : { reason: maskText(reason) }),
    ...(install === undefined ? {} : { install }),
    ...(trust === undefined ? {} : { trust }),
  }
}

function showPack({ name, state, tools, reason }: PackSummary): ShownPack {
  return {
    name,
    state: state === 'failed' ? 'failed' : 'ready',
    tools,
    ...(reason === undefined ? {} : { reason: maskText(reason) }),
  }
}

/** Nobody but the person can log in or accept what changed, so the agent is told what to ask for. */
function formatServer(server: ServerSummary): string {
  const { name, login, trust } = server
  const ask = login === 'wanted' ? `ask the person to run: switchboard server login ${name}` : undefined
  return [formatState(server), ask, trust].filter((part) => part !== undefined).join('; ')
}

function formatState({ name, state, tools, reason }: PackSummary): string {
  const why = reason === undefined ? '' : `: ${maskText(reason)}`
  return `- ${name}: ${state}, ${tools} ${tools === 1 ? 'tool' : 'tools'}${why}`
}
