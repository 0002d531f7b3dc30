import type { DaemonEvent } from '@switchboard/daemon/client'
import { isJsonObject } from '@switchboard/protocol'
import { readErrorEnvelope, SwitchboardError } from '@switchboard/protocol/errors'
import type { BackendEvent } from './backend.ts'

/** An event as it comes from the daemon. Undefined: one that this version does not know, of a newer daemon. */
export function readDaemonEvent(params: unknown): BackendEvent | undefined {
  if (!isJsonObject(params) || typeof params.type !== 'string') return undefined
  // Our own daemon's: `type` says which it is, and an unknown one falls through.
  const event = params as unknown as DaemonEvent
  switch (event.type) {
    case 'state_changed':
    case 'catalog_changed':
    case 'configuration_unchanged':
    case 'instance_detached':
      return event
    case 'configuration_applied':
      return { type: event.type, change: event.change, ...(event.needs_restart ? { needsRestart: true } : {}) }
    case 'configuration_refused':
      return { type: event.type, error: readErrorEnvelope(event.error) ?? createUnreadable() }
    case 'instance_attached': {
      const { instance, client } = event.instance
      return { type: event.type, instance, ...(client === undefined ? {} : { client: client.name }) }
    }
    case 'mode_changed':
      return { type: event.type, instance: event.instance, ...(event.mode === null ? {} : { mode: event.mode }) }
    case 'stopping':
      return { type: event.type }
    default:
      return undefined
  }
}

function createUnreadable(): SwitchboardError {
  return new SwitchboardError('invalid_configuration', 'The configuration file is not right.', {
    hint: 'switchboard status says why.',
  })
}
