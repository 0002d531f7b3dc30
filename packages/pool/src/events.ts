/** Everything a pool announces. */
import type { Call, CatalogPart, JsonObject } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { ServerState } from './upstream/server-status.ts'

export type PoolEvent =
  /** A new configuration holds: servers came, went or were replaced. */
  | { readonly type: 'servers_changed' }
  | {
      readonly type: 'state_changed'
      readonly server: string
      readonly state: ServerState
      readonly previous: ServerState
    }
  | { readonly type: 'catalog_changed'; readonly server: string; readonly parts: readonly CatalogPart[] }
  | { readonly type: 'resource_updated'; readonly server: string; readonly uri: string; readonly params: JsonObject }
  | {
      readonly type: 'tool_called'
      readonly server: string
      /** The exposed name. */
      readonly tool: string
      readonly call: Call
      readonly args: unknown
      readonly outcome: 'ok' | 'tool_error' | 'failed'
      readonly result?: JsonObject
      readonly error?: SwitchboardError
      readonly durationMs: number
    }

export type PoolListener = (event: PoolEvent) => void
