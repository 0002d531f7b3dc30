/** What all servers of one pool share. */
import type { Clock } from '@switchboard/base'
import type { OrphanGuard, StopGraces } from '@switchboard/process'
import type { Call } from '@switchboard/protocol'
import type { ClientCapabilities, Implementation } from '@switchboard/protocol/mcp'
import type { Logger } from '@switchboard/telemetry'
import type { CatalogCache } from '../cache/catalog-cache.ts'
import type { ServerConfig } from '../config/server-config.ts'
import type { Logins } from '../oauth/logins.ts'
import type { UpstreamTransport } from '../transport/transport.ts'
import type { CallQueue } from './call-queue.ts'
import type { JudgeCatalog } from './held-definitions.ts'
import type { LoginOffers } from './login-offers.ts'
import type { StartSlots } from './start-slots.ts'

export interface UpstreamTimings {
  /** How long a server may be silent to the question for its era. */
  readonly eraProbeTimeout: number
  /** Of one health probe. */
  readonly healthProbeTimeout: number
  /** Between looks at a connection that cannot notice its own end. */
  readonly idleProbeInterval: number
  readonly stopGraces: StopGraces
  readonly restartGraces: StopGraces
}

export interface UpstreamEnvironment {
  readonly clock: Clock
  readonly log: Logger
  readonly cache: CatalogCache
  readonly guard: OrphanGuard
  readonly slots: StartSlots
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  readonly timings: UpstreamTimings
  readonly maxMessageBytes: number
  /** Where a server's own output goes. */
  openServerLog(server: string): Logger
  readonly judge: JudgeCatalog
  /** Absent: no server can be logged in to. */
  readonly logins?: Logins | undefined
  /** Absent: no agent is offered a login. */
  readonly loginOffers?: LoginOffers | undefined
  findQueue(name: string): CallQueue | undefined
  createTransport(config: ServerConfig, as: ServerConfig['type']): UpstreamTransport
}

/** Who a question belongs to that names no call: set where a connection serves one caller only. */
export type Owner = () => Call | undefined
