/** Sends all measurements every so often, and once more at the end. A collector that is slow gets them less often. */
import type { Metric } from '../../metrics/format-metrics.ts'
import type { DeliveryLine } from './delivery.ts'
import type { MetricMessage } from './encode/messages.ts'

export interface MetricExportOptions {
  readonly line: DeliveryLine
  /** Milliseconds. */
  readonly interval: number
  collect(): readonly Metric[]
  read(metrics: readonly Metric[]): MetricMessage[]
  encode(messages: readonly MetricMessage[]): Buffer
  onBug(thrown: unknown): void
}

export class MetricExport {
  readonly #options: MetricExportOptions
  readonly #timer: NodeJS.Timeout
  #sending: Promise<void> | undefined

  constructor(options: MetricExportOptions) {
    this.#options = options
    this.#timer = setInterval(() => void this.#send(), options.interval).unref()
  }

  async close(timeout: number): Promise<void> {
    clearInterval(this.#timer)
    this.#options.line.hurry()
    const timer = setTimeout(() => this.#options.line.abort(), timeout)
    await this.#sending
    await this.#send()
    clearTimeout(timer)
  }

  #send(): Promise<void> {
    this.#sending ??= this.#sendNow().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendNow(): Promise<void> {
    const { line, collect, read, encode, onBug } = this.#options
    try {
      const messages = read(collect())
      const points = messages.reduce((sum, message) => sum + countPoints(message), 0)
      if (points > 0) await line.deliver(encode(messages), points)
    } catch (thrown) {
      onBug(thrown)
    }
  }
}

function countPoints({ gauge, sum, histogram }: MetricMessage): number {
  return (gauge ?? sum ?? histogram)?.dataPoints.length ?? 0
}
