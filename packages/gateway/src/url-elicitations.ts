import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { readUpstreamRpcError, type SwitchboardError } from '@switchboard/protocol/errors'
import { URL_ELICITATION_REQUIRED } from '@switchboard/protocol/legacy'

/** The visits to URLs that a legacy server's error asks for: the call is to be made again after them. */
export function readUrlElicitations(error: SwitchboardError): JsonObject[] {
  const rpc = readUpstreamRpcError(error)
  const visits = rpc?.code === URL_ELICITATION_REQUIRED && isJsonObject(rpc.data) ? rpc.data.elicitations : undefined
  return Array.isArray(visits) ? visits.filter(isJsonObject) : []
}
