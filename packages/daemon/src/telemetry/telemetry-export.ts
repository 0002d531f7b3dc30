/**
 * The export of spans and measurements, as long as the configuration or the environment names a collector. It follows a changed
 * configuration: the old exporter sends what it has, while the new one works already.
 */
import { isRequestId, type JsonObject } from '@switchboard/protocol'
import type { CallSpan, TracedRequest, Tracer } from '@switchboard/protocol/tracing'
import type { Logger, Metric } from '@switchboard/telemetry'
import {
  type Exporter,
  type FrontTime,
  isExportWanted,
  loadExporter,
  type TelemetryConfig,
} from '@switchboard/telemetry/otlp'

export interface TelemetryExportOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
  readonly log: Logger
  collect(): readonly Metric[]
  /** Spans are made from now on: whoever has a part in them is asked for it. */
  onStarted(): void
}

/** How long what is left may take to be sent when everything ends. */
const FAREWELL_MS = 2_000

export class TelemetryExport implements Tracer {
  readonly #options: TelemetryExportOptions
  readonly #closing = new Set<Promise<void>>()
  #exporter: Exporter | undefined
  #held = ''

  constructor(options: TelemetryExportOptions) {
    this.#options = options
  }

  get isOn(): boolean {
    return this.#exporter !== undefined
  }

  /** Whatever is wrong with it is told in the log, and nothing else fails for it. */
  async configure(config: TelemetryConfig | undefined): Promise<void> {
    const { env, version, log, collect, onStarted } = this.#options
    const wanted = config !== undefined && isExportWanted(config, env) ? JSON.stringify(config) : ''
    if (wanted === this.#held) return
    this.#held = wanted
    const before = this.#exporter
    this.#exporter = undefined
    if (before !== undefined) this.#end(before)
    if (wanted === '' || config === undefined) return
    try {
      this.#exporter = await loadExporter({ config, env, version, log, collect })
      onStarted()
    } catch (thrown) {
      log.error('telemetry.export', 'the exporter could not be loaded, and nothing is exported', {
        error: String(thrown),
      })
    }
  }

  begin(request: TracedRequest): CallSpan | undefined {
    try {
      return this.#exporter?.begin(request)
    } catch (thrown) {
      // A call is worth more than its span.
      this.#options.log.error('telemetry.bug', 'a call has no span for a mistake of ours', { error: String(thrown) })
      return undefined
    }
  }

  noteFrontTimes(instance: string, params: JsonObject): void {
    this.#exporter?.noteFrontTimes(instance, readFrontTimes(params.times))
  }

  metrics(): Metric[] {
    return this.#exporter?.metrics() ?? []
  }

  async close(): Promise<void> {
    this.#held = ''
    const exporter = this.#exporter
    this.#exporter = undefined
    if (exporter !== undefined) this.#end(exporter)
    await Promise.all(this.#closing)
  }

  #end(exporter: Exporter): void {
    const closed = exporter.close(FAREWELL_MS).finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }
}

/** What another process has said: whatever is no time is left out. */
function readFrontTimes(times: unknown): FrontTime[] {
  if (!Array.isArray(times)) return []
  return times.flatMap((entry: unknown) => {
    if (!Array.isArray(entry)) return []
    const [id, begun, ended]: unknown[] = entry
    return isRequestId(id) && isTime(begun) && isTime(ended) && begun <= ended ? [{ id, begun, ended }] : []
  })
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
