import type { JsonRpcMessage, RequestId } from '@switchboard/protocol'
import type { SendOptions } from '../transport.ts'

export interface Outgoing {
  readonly message: JsonRpcMessage
  readonly options: SendOptions | undefined
}

/** What waits for its turn, in order: for the connection, or for a message that must arrive before all later ones. */
export class Outbox {
  readonly #deliver: (outgoing: Outgoing) => void
  #waiting: Outgoing[] = []
  #held = true

  constructor(deliver: (outgoing: Outgoing) => void) {
    this.#deliver = deliver
  }

  add(outgoing: Outgoing): void {
    if (this.#held) this.#waiting.push(outgoing)
    else this.#deliver(outgoing)
  }

  hold(): void {
    this.#held = true
  }

  release(): void {
    this.#held = false
    while (!this.#held) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#deliver(next)
    }
  }

  /** True when that request was still here: nobody has seen it, so there is nothing else to end. */
  drop(id: RequestId): boolean {
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter(({ message }) => requestIdOf(message) !== id)
    return this.#waiting.length < before
  }

  clear(): void {
    this.#held = true
    this.#waiting = []
  }
}

/** The id of a request; undefined for a notification or a response, which get no answer. */
export function requestIdOf(message: JsonRpcMessage): RequestId | undefined {
  return 'method' in message && 'id' in message ? message.id : undefined
}

/**
 * POSTs travel on connections of their own, so the order of sending is not the order of arrival. Only for this
 * message does it matter: some servers refuse every request that overtakes it.
 */
export function mustArriveFirst(message: JsonRpcMessage): boolean {
  return 'method' in message && message.method === 'notifications/initialized'
}
