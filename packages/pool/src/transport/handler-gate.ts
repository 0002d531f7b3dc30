import type { RequestId } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { ClosedInfo, TransportHandlers } from './transport.ts'

/** Keeps invariants 1 and 2 in one place: what comes after the end, from either side, reaches nobody. */
export class HandlerGate implements TransportHandlers {
  #handlers: TransportHandlers | undefined

  constructor(handlers: TransportHandlers) {
    this.#handlers = handlers
  }

  get isOpen(): boolean {
    return this.#handlers !== undefined
  }

  onMessage(message: unknown, origin?: RequestId): void {
    if (origin === undefined) this.#handlers?.onMessage(message)
    else this.#handlers?.onMessage(message, origin)
  }

  onOutput(stream: 'stdout' | 'stderr', line: string): void {
    this.#handlers?.onOutput(stream, line)
  }

  onOversized(id: RequestId | null | undefined, bytes: number): void {
    this.#handlers?.onOversized(id, bytes)
  }

  isTooLarge(id: RequestId | null | undefined, bytes: number): boolean {
    return this.#handlers?.isTooLarge(id, bytes) ?? false
  }

  onTooDeep(id: RequestId | null | undefined): void {
    this.#handlers?.onTooDeep(id)
  }

  onRequestFailed(id: RequestId, error: SwitchboardError): void {
    this.#handlers?.onRequestFailed(id, error)
  }

  onClosed(info: ClosedInfo): void {
    const handlers = this.#handlers
    this.#handlers = undefined
    handlers?.onClosed(info)
  }

  /** Our own side ends it: silently. */
  shut(): void {
    this.#handlers = undefined
  }
}
