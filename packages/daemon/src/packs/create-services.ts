/** What packs are told of the rest of the house: they import none of it. */
import type { DaemonSummary, StoreSummary, SwitchboardServices } from '@switchboard/pack-switchboard'
import type { ServerStatus } from '@switchboard/pool'
import type { Provider } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { PackServices } from '@switchboard/toolkit'
import type { Modes } from '../modes/modes.ts'
import { createModesService } from '../modes/modes-service.ts'
import type { Projects } from '../projects/projects.ts'
import type { StoreReport } from '../store/home-store.ts'

export interface ServicesOptions {
  readonly version: string
  servers(): readonly ServerStatus[]
  readonly log: Logger
  /** `<home>/logs`. */
  readonly logsDirectory: string | undefined
  readonly modes: Modes | undefined
  scopeOf: SwitchboardServices['scopeOf']
  projects(): Projects
  daemon(): DaemonSummary | undefined
  packs(): readonly Provider[]
  store(): Promise<StoreReport>
  readonly standing: PackServices['standing']
  readonly recall: PackServices['recall']
  readonly codeIndex: PackServices['codeIndex']
}

/** Each pack takes of them what it has asked for. */
export type Services = SwitchboardServices & PackServices

export function createServices(options: ServicesOptions): Services {
  const { version, servers, log, logsDirectory, modes, scopeOf, daemon, packs, standing, recall, codeIndex } = options
  return {
    version,
    scopeOf,
    remarksFor: ({ workspace }) => options.projects().remarksAt(options.projects().placesOf(workspace)),
    isElsewhere: ({ profile, workspace }, server) =>
      profile !== undefined && !options.projects().isSeenFrom(workspace, server),
    servers,
    packs: () => packs().map(summarizePack),
    store: async () => summarizeStore(await options.store()),
    daemon,
    standing,
    recall,
    codeIndex,
    modeOf: ({ instance }) =>
      instance === undefined ? modes?.modeForHttp : (modes?.read(instance)?.mode ?? undefined),
    countOtherWindows: (instance) => modes?.countOthers(instance) ?? 0,
    ...(logsDirectory === undefined ? {} : { logs: { directory: logsDirectory, own: log } }),
    ...(modes === undefined ? {} : { modes: createModesService(modes) }),
  }
}

function summarizePack(provider: Provider): ReturnType<SwitchboardServices['packs']>[number] {
  const { name, state, reason } = provider.status()
  const { tools } = provider.catalog()
  return { name, state, tools: tools.length, ...(typeof reason === 'string' ? { reason } : {}) }
}

function summarizeStore({ engine, state, bytes, items, waiting, last_backup, error }: StoreReport): StoreSummary {
  return {
    engine,
    state,
    bytes,
    lastBackup: last_backup,
    ...(items === undefined ? {} : { items: Object.values(items).reduce((sum, count) => sum + count, 0) }),
    ...(waiting === undefined ? {} : { waiting }),
    ...(error === undefined ? {} : { reason: error.message }),
  }
}
