/** What we promise of windows that share a daemon, and whether this run kept it. */
import type { CallRow } from './measure-calls.ts'
import type { FleetRow, FleetSize } from './measure-fleet.ts'
import type { FrontMemory } from './measure-front.ts'
import type { StoreMemory } from './measure-store-memory.ts'

export interface Target {
  readonly name: string
  readonly limit: string
  readonly measured: string
  readonly met: boolean
}

const RATIO_LIMIT = 1.25
const FRONT_LIMIT_MB = 15
const STORE_LIMIT_MB = 15

export function judgeTargets(measured: {
  readonly size: FleetSize
  readonly shared: FleetRow
  readonly calls: readonly CallRow[]
  readonly memory: FrontMemory
  readonly store: StoreMemory
}): Target[] {
  const { size, shared, calls, memory, store } = measured
  const fronts = calls.filter(({ way }) => way === 'front to the daemon')
  const extra = (of: 'idle' | 'busy'): number => memory[of].resident - memory.empty.resident
  return [
    {
      name: `server processes of ${size.windows} windows`,
      limit: `${size.servers}`,
      measured: `${shared.servers}`,
      met: shared.servers === size.servers,
    },
    ...fronts.map(({ concurrency, ratioToHttp }) => ({
      name: `p50 of a call by a front, ${concurrency} at once`,
      limit: `≤ ${RATIO_LIMIT}× HTTP to the same daemon`,
      measured: `${ratioToHttp.toFixed(2)}×`,
      met: ratioToHttp <= RATIO_LIMIT,
    })),
    ...(['idle', 'busy'] as const).map((of) => ({
      name: `memory of a front, ${of === 'idle' ? 'idle' : `after ${memory.calls} calls`}`,
      limit: `≤ ${FRONT_LIMIT_MB} MB above an empty Node process`,
      measured: `${extra(of).toFixed(1)} MB`,
      met: extra(of) <= FRONT_LIMIT_MB,
    })),
    ...[
      { name: 'whose store is empty', megabytes: store.emptyMB },
      { name: 'that has kept and found something', megabytes: store.usedMB },
      { name: 'that is restarted with that', megabytes: store.restartedMB },
    ].map(({ name, megabytes }) => ({
      name: `memory of a daemon ${name}`,
      limit: `≤ ${STORE_LIMIT_MB} MB above one without the memory`,
      measured: `${(megabytes - store.withoutMB).toFixed(1)} MB`,
      met: megabytes - store.withoutMB <= STORE_LIMIT_MB,
    })),
  ]
}
