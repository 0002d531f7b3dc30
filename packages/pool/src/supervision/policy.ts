/** How a server is restarted, as data. Milliseconds. */
export interface SupervisionPolicy {
  /** Waits before restart 1, 2, 3 …; the last repeats for ever. */
  readonly schedule: readonly number[]
  /** Waits between the tries of the very first handshake; after them the schedule takes over. */
  readonly firstTries: readonly number[]
  /** Restarts before it is given up. */
  readonly maxRestarts: number
  /** Ready for this long, and the schedule begins anew. */
  readonly stableAfter: number
  /** Whether the server speaks that era at all is not known: one that does not is given up without a complaint. */
  readonly isOptional?: boolean
}

/** A shared server is never given up: only disabling it ends the loop. */
export const SHARED_POLICY: SupervisionPolicy = {
  schedule: [0, 1000, 2000, 5000, 10_000, 30_000, 60_000],
  firstTries: [100, 200, 400, 800, 1000],
  maxRestarts: Number.POSITIVE_INFINITY,
  stableAfter: 60_000,
}

/** A private server gets one retry, then fails its own instance. */
export const PRIVATE_POLICY: SupervisionPolicy = { ...SHARED_POLICY, firstTries: [], maxRestarts: 1 }

export function waitBeforeRestart(policy: SupervisionPolicy, restart: number): number {
  return policy.schedule[Math.min(restart, policy.schedule.length) - 1] ?? 0
}
