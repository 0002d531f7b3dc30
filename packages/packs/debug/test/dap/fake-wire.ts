import type { Wire, WireHandlers } from '../../src/dap/wire.ts'

/** A wire whose far side is the test. */
export class FakeWire implements Wire {
  readonly sent: Record<string, unknown>[] = []
  #handlers: WireHandlers | undefined
  isClosed = false

  open(handlers: WireHandlers): void {
    this.#handlers = handlers
  }

  send(message: unknown): void {
    // The client sends objects only.
    this.sent.push(message as Record<string, unknown>)
  }

  close(): void {
    this.isClosed = true
  }

  simulateMessage(message: Record<string, unknown>): void {
    this.#handlers?.onMessage(message)
  }

  simulateAnswer(request: number, body: unknown = {}): void {
    this.simulateMessage({ type: 'response', request_seq: request, success: true, body })
  }

  simulateClose(reason: string): void {
    this.#handlers?.onClosed(reason)
  }
}
