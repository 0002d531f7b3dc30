/** How agents reach Switchboard, after checking. Durations are ms. */

export interface ProfileConfig {
  /** Undefined: all. */
  readonly providers: readonly string[] | undefined
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] }
  readonly search: boolean
  readonly pinned: readonly string[]
}

export interface RateConfig {
  readonly perSecond: number
  readonly burst: number
}

export interface OauthConfig {
  readonly issuer: string
  readonly audience: string
  readonly jwksUri: string | undefined
  readonly scopes: readonly string[]
}

export interface GatewayConfig {
  readonly host: string
  readonly port: number
  readonly requireAuth: boolean
  readonly oauth: OauthConfig | undefined
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly maxBodyBytes: number
  readonly maxInFlight: number
  readonly sessionIdleTimeout: number
  readonly resumeGrace: number
  readonly questionTimeout: number
  /** The mode that binds callers who have no instance. Undefined: with modes configured they may call nothing. */
  readonly modeForHttp: string | undefined
  /** By glob over exposed names, in the order written. */
  readonly rates: Readonly<Record<string, RateConfig>>
}
