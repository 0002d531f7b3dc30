/** What a user writes: the file's shape, for those who pass a configuration as an object. `fields.ts` documents each key. */
import type { ServerType } from './fields.ts'

/** "90s", "1500ms", "2m", "1h", "0.5s", or a number of milliseconds. */
export type DurationInput = string | number

export interface ToolRulesInput {
  allow?: readonly string[] | undefined
  deny?: readonly string[] | undefined
  rename?: Readonly<Record<string, string>> | undefined
  prefix?: string | false | undefined
}

export interface ServerInput {
  type?: ServerType | undefined
  command?: string | undefined
  args?: readonly string[] | undefined
  cwd?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
  inheritEnv?: boolean | undefined
  install?: string | undefined
  url?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  enabled?: boolean | undefined
  /** The inverse of `enabled`, as other clients write it. */
  disabled?: boolean | undefined
  shared?: boolean | undefined
  start?: 'eager' | 'lazy' | undefined
  healthProbe?: 'ping' | 'listTools' | undefined
  timeout?: DurationInput | undefined
  toolTimeouts?: Readonly<Record<string, DurationInput>> | undefined
  initTimeout?: DurationInput | undefined
  idleTimeout?: DurationInput | false | undefined
  restartWait?: DurationInput | undefined
  concurrency?: number | undefined
  queue?: string | undefined
  tools?: ToolRulesInput | undefined
  interactive?: 'auto' | boolean | 'private' | undefined
  validate?: boolean | undefined
  retry?: 'safe' | 'never' | undefined
}

export interface McpPoolInput {
  $schema?: string | undefined
  mcpServers?: Readonly<Record<string, ServerInput>> | undefined
  queues?: Readonly<Record<string, { concurrent: number }>> | undefined
  presets?: readonly 'dmn'[] | undefined
  startParallelism?: number | undefined
  profiles?: Readonly<Record<string, ProfileInput>> | undefined
  gateway?: GatewayInput | undefined
  modes?: Readonly<Record<string, ModeInput>> | undefined
  daemon?: DaemonInput | undefined
  packs?: PacksInput | undefined
}

export interface PacksInput {
  debug?:
    | {
        enabled?: boolean | undefined
        showSecrets?: boolean | undefined
        maxSessions?: number | undefined
        idleTimeout?: DurationInput | undefined
      }
    | undefined
}

export interface ProfileInput {
  providers?: readonly string[] | undefined
  tools?: { allow?: readonly string[] | undefined; deny?: readonly string[] | undefined } | undefined
  search?: boolean | undefined
  pinned?: readonly string[] | undefined
}

export interface ModeInput {
  description: string
  tools?: { allow?: readonly string[] | undefined; deny?: readonly string[] | undefined } | undefined
  writable?: readonly string[] | undefined
  instructions?: string | undefined
  instructionsFile?: string | undefined
  approval?: 'none' | 'person' | undefined
}

export interface GatewayInput {
  host?: string | undefined
  port?: number | undefined
  requireAuth?: boolean | undefined
  oauth?:
    | { issuer: string; audience: string; jwksUri?: string | undefined; scopes?: readonly string[] | undefined }
    | undefined
  allowedHosts?: readonly string[] | undefined
  allowedOrigins?: readonly string[] | undefined
  maxBodyBytes?: number | undefined
  maxInFlight?: number | undefined
  sessionIdleTimeout?: DurationInput | undefined
  resumeGrace?: DurationInput | undefined
  questionTimeout?: DurationInput | undefined
  modeForHttp?: string | undefined
  rates?: Readonly<Record<string, { perSecond: number; burst?: number | undefined }>> | undefined
}

export interface DaemonInput {
  tcp?: boolean | { port?: number | undefined } | undefined
  idleTimeout?: DurationInput | 'off' | false | undefined
  drain?: DurationInput | undefined
}
