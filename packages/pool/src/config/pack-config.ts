/** The built-in packs, after checking. Durations are ms. */
export interface PacksConfig {
  readonly debug: DebugPackConfig
}

export interface DebugPackConfig {
  readonly enabled: boolean
  readonly showSecrets: boolean
  readonly maxSessions: number
  readonly idleTimeout: number
}
