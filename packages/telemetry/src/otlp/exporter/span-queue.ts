/**
 * Finished spans on their way out.
 *
 * 1. `push` does nothing but put the span into a list: no call waits for a collector.
 * 2. The list is bounded. What comes while it is full is dropped and counted.
 * 3. A batch leaves when it is full, or after a while; one at a time.
 * 4. After `close` nothing is left, and nothing more is taken.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { DeliveryLine } from './delivery.ts'
import type { RecordedSpan } from './recorded-span.ts'

export interface QueuedSpan {
  readonly span: RecordedSpan
  /** Of the front that it was measured in. */
  readonly instance: string | undefined
}

export interface SpanQueueOptions {
  readonly line: DeliveryLine
  readonly queueSize: number
  readonly batchSize: number
  readonly batchDelay: number
  encode(batch: readonly QueuedSpan[]): Promise<Buffer>
  onBug(thrown: unknown): void
}

export class SpanQueue {
  readonly #options: SpanQueueOptions
  #waiting: QueuedSpan[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #isClosed = false

  constructor(options: SpanQueueOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#waiting.length
  }

  push(queued: QueuedSpan): void {
    const { queueSize, batchSize, batchDelay, line } = this.#options
    if (this.#isClosed || this.#waiting.length >= queueSize) {
      line.drop(1)
      return
    }
    this.#waiting.push(queued)
    if (this.#sending !== undefined) return
    if (this.#waiting.length >= batchSize) this.#schedule(0)
    else if (this.#timer === undefined) this.#schedule(batchDelay)
  }

  async close(timeout: number): Promise<void> {
    const { line } = this.#options
    clearTimeout(this.#timer)
    line.hurry()
    const over = new AbortController()
    const late = wait(timeout, undefined, { signal: over.signal }).then(
      () => line.abort(),
      () => undefined,
    )
    while (this.#waiting.length > 0 || this.#sending !== undefined) await (this.#sending ?? this.#send())
    this.#isClosed = true
    over.abort()
    await late
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), ms).unref()
  }

  #send(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendBatch().finally(() => {
      this.#sending = undefined
      const { batchSize, batchDelay } = this.#options
      if (this.#waiting.length > 0) this.#schedule(this.#waiting.length >= batchSize ? 0 : batchDelay)
    })
    return this.#sending
  }

  async #sendBatch(): Promise<void> {
    const { line, batchSize, encode, onBug } = this.#options
    const batch = this.#waiting.slice(0, batchSize)
    this.#waiting = this.#waiting.slice(batchSize)
    if (batch.length === 0) return
    try {
      await line.deliver(await encode(batch), batch.length)
    } catch (thrown) {
      line.drop(batch.length)
      onBug(thrown)
    }
  }
}
