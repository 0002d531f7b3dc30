/** How the process in the background behaves, after checking. Durations are ms. */
export interface DaemonConfig {
  /** Undefined: no TCP. */
  readonly tcp: { readonly port: number } | undefined
  /** Undefined: it never stops by itself. */
  readonly idleTimeout: number | undefined
  readonly drain: number
}
