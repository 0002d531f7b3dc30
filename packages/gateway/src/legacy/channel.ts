import type { JsonRpcMessage, RequestId } from '@switchboard/protocol'

/** The way back to a legacy client, whatever carries it. */
export interface Channel {
  /**
   * `relatedTo`: the client's request that the message belongs to (its response, its progress, a question asked for
   * it); a transport with a stream for each request sends it there. Undefined: belongs to the session as a whole.
   * Never throws; what cannot be delivered is dropped or kept for resumption as the transport sees fit.
   */
  send(message: JsonRpcMessage, relatedTo: RequestId | undefined): void
  /** The request was cancelled and gets no answer: a transport with a stream for each request ends it. */
  drop?(relatedTo: RequestId): void
}
