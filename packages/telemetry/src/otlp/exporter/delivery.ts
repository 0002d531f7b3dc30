/**
 * Brings exports to a collector, whatever state that is in. One export at a time; each is tried a few times, for a bounded while, and
 * is then given up and counted. What goes wrong is told once, and that it goes well again as well.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../logging/logger.ts'
import { maskText } from '../../masking/mask-text.ts'
import type { Signal, SignalSettings } from './export-settings.ts'
import { type Delivery, OtlpClient } from './otlp-client.ts'

export interface DeliveryCounts {
  /** Spans, or points of measurements. */
  sent: number
  dropped: number
  failures: number
}

const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 30_000
const MOST_ATTEMPTS = 5

export class DeliveryLine {
  readonly counts: DeliveryCounts = { sent: 0, dropped: 0, failures: 0 }
  readonly #client: OtlpClient
  readonly #signal: Signal
  readonly #place: string
  readonly #log: Logger
  readonly #closing = new AbortController()
  readonly #pause = new AbortController()
  #isLast = false
  #isFailing = false
  #hasToldDrops = false

  constructor(signal: Signal, settings: SignalSettings, { version, log }: { version: string; log: Logger }) {
    this.#client = new OtlpClient(settings, version)
    this.#signal = signal
    this.#place = settings.url.host
    this.#log = log
  }

  /** Once it was taken, or given up. Never rejects. `items`: how many spans or points are in it. */
  async deliver(body: Buffer, items: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const delivery = await this.#client.send(body, this.#closing.signal)
      if (delivery.type === 'taken') return this.#onTaken(delivery, items)
      this.counts.failures++
      this.#tell(delivery.reason)
      const mayRepeat = delivery.type === 'failed' && attempt < MOST_ATTEMPTS && !this.#isLast
      if (!mayRepeat) return this.drop(items)
      await wait(pauseAfter(attempt, delivery.retryAfter), undefined, {
        ref: false,
        signal: this.#pause.signal,
      }).catch(() => undefined)
    }
  }

  /** They will never be sent. */
  drop(items: number): void {
    this.counts.dropped += items
    if (this.#hasToldDrops) return
    this.#hasToldDrops = true
    this.#log.warn(
      'telemetry.dropped',
      `${this.#signal} were dropped, as the collector at ${this.#place} does not take them`,
      {
        signal: this.#signal,
        dropped: this.counts.dropped,
        hint: 'switchboard_telemetry_dropped_total at /metrics counts them',
      },
    )
  }

  /** There is no later any more: what fails now is not tried again, and no pause is made before a last attempt. */
  hurry(): void {
    this.#isLast = true
    this.#pause.abort()
  }

  /** Attempts that are under way end. */
  abort(): void {
    this.hurry()
    this.#closing.abort()
  }

  close(): void {
    this.abort()
    this.#client.close()
  }

  #onTaken({ rejected }: Extract<Delivery, { type: 'taken' }>, items: number): void {
    const lost = Math.min(items, rejected?.count ?? 0)
    this.counts.sent += items - lost
    if (this.#isFailing) {
      this.#isFailing = false
      this.#log.info('telemetry.export', `the collector at ${this.#place} takes ${this.#signal} again`)
    }
    if (lost === 0) return
    this.#tell(`it has rejected ${lost} of ${items}: ${rejected?.reason ?? ''}`)
    this.drop(lost)
  }

  #tell(reason: string): void {
    if (this.#isFailing || this.#closing.signal.aborted) return
    this.#isFailing = true
    this.#log.warn('telemetry.export', `${this.#signal} cannot be exported to ${this.#place}: ${maskText(reason)}`)
  }
}

/** As long as the collector has asked for, within bounds; else ever longer, and never in step with others. */
function pauseAfter(attempt: number, retryAfter: number | undefined): number {
  const backoff = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
  return retryAfter === undefined ? backoff : Math.min(LAST_WAIT_MS, retryAfter)
}
