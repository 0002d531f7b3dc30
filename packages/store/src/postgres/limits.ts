/** How long things may take, in milliseconds: nothing waits for ever for a server that does not answer. */
export interface PostgresLimits {
  /** Until a new connection is ready. */
  readonly connect: number
  /** For one statement, at the server. */
  readonly statement: number
  /** What the network may take beside that: who has not answered then is gone. */
  readonly grace: number
  /** How long a server that cannot be reached is tried again before a caller is told. */
  readonly patience: number
}

export const POSTGRES_LIMITS: PostgresLimits = { connect: 10_000, statement: 60_000, grace: 5_000, patience: 10_000 }
