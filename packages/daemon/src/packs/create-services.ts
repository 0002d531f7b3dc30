/** What packs are told of the rest of the house: they import none of it. */
import type { DaemonSummary, SwitchboardServices } from '@switchboard/pack-switchboard'
import type { McpPool } from '@switchboard/pool'
import type { Provider } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { Modes } from '../modes/modes.ts'
import { createModesService } from '../modes/modes-service.ts'

export interface ServicesOptions {
  readonly version: string
  readonly pool: McpPool
  readonly log: Logger
  /** `<home>/logs`. */
  readonly logsDirectory: string | undefined
  readonly modes: Modes | undefined
  scopeOf: SwitchboardServices['scopeOf']
  daemon(): DaemonSummary | undefined
  packs(): readonly Provider[]
}

export function createServices(options: ServicesOptions): SwitchboardServices {
  const { version, pool, log, logsDirectory, modes, scopeOf, daemon, packs } = options
  return {
    version,
    scopeOf,
    servers: () => pool.status(),
    packs: () => packs().map(summarizePack),
    daemon,
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
