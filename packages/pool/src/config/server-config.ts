/** A server's configuration after checking and expansion: what the rest of the pool works with. Durations are ms. */

import type { DaemonConfig } from './daemon-config.ts'
import type { GatewayConfig, ProfileConfig } from './gateway-config.ts'
import type { ModeConfig } from './mode-config.ts'
import type { PacksConfig } from './pack-config.ts'

export interface ToolRules {
  /** Globs over the server's own tool names. Empty: all. */
  readonly allow: readonly string[]
  /** Globs; deny wins over allow. */
  readonly deny: readonly string[]
  /** Own name to new name, before the prefix. */
  readonly rename: Readonly<Record<string, string>>
  /** Text put before every name with an underscore; false: names, URIs and prompts are exposed unchanged. */
  readonly prefix: string | false
}

/** The budget of a call to a server that sets none. */
export const DEFAULT_CALL_TIMEOUT = 60_000

interface CommonServerConfig {
  readonly name: string
  readonly enabled: boolean
  /** Why a server is off that nobody switched off, with the cure: a preset's server lacks its key. */
  readonly disabledReason?: string
  /** false: one process or connection per instance or session. */
  readonly shared: boolean
  readonly start: 'eager' | 'lazy'
  readonly healthProbe: 'ping' | 'listTools'
  readonly timeout: number
  readonly toolTimeouts: Readonly<Record<string, number>>
  readonly initTimeout: number
  /** undefined: never stopped for being unused. */
  readonly idleTimeout: number | undefined
  readonly concurrency: number
  readonly queue: string | undefined
  readonly tools: ToolRules
  /** auto: learned by watching. true: calls one by one. "private": a process per instance. false: never asked. */
  readonly interactive: 'auto' | boolean | 'private'
  readonly validate: boolean
  readonly retry: 'safe' | 'never'
  /** How long a call may wait for a restart. */
  readonly restartWait: number
  /** Shown when the command is missing. */
  readonly install: string | undefined
}

export interface StdioServerConfig extends CommonServerConfig {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly inheritEnv: boolean
}

export interface RemoteServerConfig extends CommonServerConfig {
  readonly type: 'http' | 'sse' | 'websocket'
  /** False when the type was inferred from the URL: then HTTP may fall back to SSE. */
  readonly typeIsExplicit: boolean
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type ServerConfig = StdioServerConfig | RemoteServerConfig

export interface QueueConfig {
  readonly concurrent: number
}

export interface PoolConfig {
  readonly servers: readonly ServerConfig[]
  readonly queues: Readonly<Record<string, QueueConfig>>
  /** How many handshakes may be busy at once while starting. */
  readonly startParallelism: number
}

/** The whole file: what the pool needs, and how agents reach it. */
export interface SwitchboardConfig extends PoolConfig {
  readonly gateway: GatewayConfig
  readonly daemon: DaemonConfig
  readonly profiles: Readonly<Record<string, ProfileConfig>>
  /** Empty: nothing is asked of anybody. */
  readonly modes: Readonly<Record<string, ModeConfig>>
  readonly packs: PacksConfig
}
