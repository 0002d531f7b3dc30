/** What a session is made of; who makes it is session-life.ts. */
import type { JsonMembers } from '../json-values.ts'
import type { DapClient } from './dap-client.ts'
import type { DapTraits } from './traits.ts'

export interface DapSessionOptions {
  readonly id: string
  readonly name: string
  readonly client: DapClient
  readonly traits: DapTraits
  readonly adapterCapabilities: JsonMembers
  readonly workspace: string
  /** Its first stop is before anything has happened. */
  readonly stopsOnEntry: boolean
  /** Settles when the adapter has answered `launch` or `attach`; some answer only after `configurationDone`. */
  readonly started: Promise<unknown>
  /** Ends everything; see session-end.ts. */
  stop(options: { kill?: boolean; grace?: number }): Promise<void>
  log(message: string, data?: unknown): void
}
