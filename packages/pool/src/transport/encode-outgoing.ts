import type { JsonRpcMessage } from '@switchboard/protocol'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import { requestIdOf } from './http/outbox.ts'
import type { TransportHandlers } from './transport.ts'

/** The text of a message to the server. Undefined: it cannot be written, and whoever asked has been told. */
export function encodeOutgoing(
  message: JsonRpcMessage,
  handlers: Pick<TransportHandlers, 'onRequestFailed'>,
): string | undefined {
  try {
    return encodeMessage(message)
  } catch (thrown) {
    const id = requestIdOf(message)
    const { code, message: reason } = toSwitchboardError(thrown)
    // Only a request throws.
    if (id !== undefined) handlers.onRequestFailed(id, new SwitchboardError(code, reason, { executed: false }))
    return undefined
  }
}
