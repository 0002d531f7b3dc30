import type { RequestId } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { ClosedInfo, TransportHandlers } from '../../src/transport/transport.ts'

export type Recorded =
  | { readonly kind: 'message'; readonly message: unknown; readonly origin: RequestId | undefined }
  | { readonly kind: 'output'; readonly stream: string; readonly line: string }
  | { readonly kind: 'oversized'; readonly id: RequestId | null | undefined; readonly bytes: number }
  | { readonly kind: 'too_deep'; readonly id: RequestId | null | undefined }
  | { readonly kind: 'failed'; readonly id: RequestId; readonly error: SwitchboardError }
  | { readonly kind: 'closed'; readonly info: ClosedInfo }

export type RecordedOf<K extends Recorded['kind']> = Extract<Recorded, { kind: K }>

/** Handlers that keep everything, in order, and can be waited on. */
export class Recorder implements TransportHandlers {
  readonly all: Recorded[] = []
  /** For tests that act in the middle of a delivery. */
  onRecord: ((recorded: Recorded) => void) | undefined
  #waiting: (() => void)[] = []

  onMessage(message: unknown, origin?: RequestId): void {
    this.#add({ kind: 'message', message, origin })
  }

  onOutput(stream: 'stdout' | 'stderr', line: string): void {
    this.#add({ kind: 'output', stream, line })
  }

  onOversized(id: RequestId | null | undefined, bytes: number): void {
    this.#add({ kind: 'oversized', id, bytes })
  }

  isTooLarge(): boolean {
    return false
  }

  onTooDeep(id: RequestId | null | undefined): void {
    this.#add({ kind: 'too_deep', id })
  }

  onRequestFailed(id: RequestId, error: SwitchboardError): void {
    this.#add({ kind: 'failed', id, error })
  }

  onClosed(info: ClosedInfo): void {
    this.#add({ kind: 'closed', info })
  }

  of<K extends Recorded['kind']>(kind: K): RecordedOf<K>[] {
    return this.all.filter((recorded): recorded is RecordedOf<K> => recorded.kind === kind)
  }

  get messages(): unknown[] {
    return this.of('message').map(({ message }) => message)
  }

  /** The nth (from 0) of that kind, as soon as it is there. */
  async next<K extends Recorded['kind']>(kind: K, index = 0): Promise<RecordedOf<K>> {
    for (;;) {
      const found = this.of(kind)[index]
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #add(recorded: Recorded): void {
    this.all.push(recorded)
    this.onRecord?.(recorded)
    for (const wake of this.#waiting.splice(0)) wake()
  }
}

/** Waits for a fact that announces itself to nobody. */
export async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 5))
}
