/** The export to a collector of OpenTelemetry, put together. Loaded only where there is one: see `load-exporter.ts`. */
import { hostname } from 'node:os'
import type { Metric } from '../../metrics/format-metrics.ts'
import type { Exporter, ExporterOptions } from '../load-exporter.ts'
import { DeliveryLine } from './delivery.ts'
import { encodeMetrics, encodeSpans, type SpanGroup } from './encode/encode-batch.ts'
import { type ResourceMessage, toKeyValues, toUnixNano } from './encode/messages.ts'
import { type ExportSettings, readExportSettings, type Signal } from './export-settings.ts'
import { MetricExport } from './metric-export.ts'
import { createMetricMessages } from './metric-messages.ts'
import { OperationDurations } from './operation-durations.ts'
import { Recorder } from './recorder.ts'
import { createSampler } from './sampler.ts'
import { createSpanMessage } from './span-message.ts'
import { type QueuedSpan, SpanQueue } from './span-queue.ts'
import { WallClock } from './wall-clock.ts'

const SWEEP_MS = 30_000

export function startExporter(options: ExporterOptions): Exporter {
  const { config, env, log } = options
  const warn = (problem: string): void => log.warn('telemetry.settings', problem)
  return new OtlpExporter(options, readExportSettings(config, env, warn))
}

class OtlpExporter implements Exporter {
  readonly #options: ExporterOptions
  readonly #settings: ExportSettings
  readonly #clock = new WallClock()
  readonly #durations = new OperationDurations()
  readonly #recorder: Recorder
  readonly #lines = new Map<Signal, DeliveryLine>()
  readonly #spans: SpanQueue | undefined
  readonly #metrics: MetricExport | undefined
  readonly #sweeping: NodeJS.Timeout

  constructor(options: ExporterOptions, settings: ExportSettings) {
    this.#options = options
    this.#settings = settings
    this.#spans = this.#openSpans()
    this.#metrics = this.#openMetrics()
    const { name, ratio } = settings.sampler
    this.#recorder = new Recorder({
      // Where only measurements are wanted no span is kept.
      sampler: this.#spans === undefined ? () => false : createSampler(name, ratio),
      keepsContent: settings.content,
      durations: this.#durations,
      onSpan: (span, instance) => this.#spans?.push({ span, instance }),
    })
    this.#sweeping = setInterval(() => this.#recorder.fronts.sweep(), SWEEP_MS).unref()
    const places = [settings.traces, settings.metrics].flatMap((signal) =>
      signal === undefined ? [] : [signal.url.host],
    )
    options.log.info('telemetry.export', 'exporting to a collector', {
      places: [...new Set(places)],
      traces: settings.traces !== undefined,
      metrics: settings.metrics !== undefined,
      sampler: name,
      content: settings.content,
    })
  }

  begin(...[request]: Parameters<Exporter['begin']>): ReturnType<Exporter['begin']> {
    return this.#recorder.begin(request)
  }

  noteFrontTimes(...[instance, times]: Parameters<Exporter['noteFrontTimes']>): void {
    for (const time of times) this.#recorder.fronts.note(instance, time)
  }

  metrics(): Metric[] {
    const count = (name: string, help: string, read: (line: DeliveryLine) => number): Metric => ({
      name: `switchboard_telemetry_${name}_total`,
      help,
      type: 'counter',
      samples: [...this.#lines].map(([signal, line]) => ({ labels: { signal }, value: read(line) })),
    })
    return [
      count('exported', 'Spans, and points of measurements, that a collector has taken.', ({ counts }) => counts.sent),
      count('dropped', 'The same that no collector has taken and that are lost.', ({ counts }) => counts.dropped),
      count('failures', 'Attempts to export that failed.', ({ counts }) => counts.failures),
    ]
  }

  async close(timeout: number): Promise<void> {
    clearInterval(this.#sweeping)
    await Promise.all([this.#spans?.close(timeout), this.#metrics?.close(timeout)])
    for (const line of this.#lines.values()) line.close()
  }

  #openLine(signal: Signal): { line: DeliveryLine; format: 'protobuf' | 'json' } | undefined {
    const settings = this.#settings[signal]
    const { version, log } = this.#options
    if (settings === undefined) return undefined
    const line = new DeliveryLine(signal, settings, { version, log })
    this.#lines.set(signal, line)
    return { line, format: settings.format }
  }

  #openSpans(): SpanQueue | undefined {
    const opened = this.#openLine('traces')
    if (opened === undefined) return undefined
    const { line, format } = opened
    const scope = { name: 'switchboard', version: this.#options.version }
    const write = ({ span }: QueuedSpan) => createSpanMessage(span, this.#clock)
    const encode = (batch: readonly QueuedSpan[]) => encodeSpans(this.#group(batch), { scope, format, write })
    return new SpanQueue({ ...this.#settings, line, encode, onBug: (thrown) => this.#onBug(thrown) })
  }

  #openMetrics(): MetricExport | undefined {
    const opened = this.#openLine('metrics')
    if (opened === undefined) return undefined
    const { line, format } = opened
    const scope = { name: 'switchboard', version: this.#options.version }
    const nano = (): string => toUnixNano(this.#clock.toEpoch(performance.now()))
    const started = nano()
    return new MetricExport({
      line,
      interval: this.#settings.metricInterval,
      collect: () => [...this.#options.collect(), ...this.#durations.collect()],
      read: (metrics) => createMetricMessages(metrics, started, nano()),
      encode: (messages) => encodeMetrics(messages, { resource: this.#resource(undefined), scope, format }),
      onBug: (thrown) => this.#onBug(thrown),
    })
  }

  /** Of the daemon, and of each front. */
  #group(batch: readonly QueuedSpan[]): SpanGroup<QueuedSpan>[] {
    const groups = new Map<string | undefined, QueuedSpan[]>()
    for (const queued of batch) {
      const group = groups.get(queued.instance)
      if (group === undefined) groups.set(queued.instance, [queued])
      else group.push(queued)
    }
    return [...groups].map(([instance, spans]) => ({ resource: this.#resource(instance), spans }))
  }

  #resource(instance: string | undefined): ResourceMessage {
    const { 'service.name': name = 'switchboard', ...others } = this.#settings.resource
    const own =
      instance === undefined
        ? { 'service.name': name, 'process.pid': process.pid }
        : { 'service.name': `${name}-front`, 'service.instance.id': instance }
    const attributes = {
      'service.version': this.#options.version,
      'host.name': hostname(),
      'telemetry.sdk.name': 'switchboard',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.version': this.#options.version,
      ...others,
      ...own,
    }
    return { attributes: toKeyValues(attributes) }
  }

  #onBug(thrown: unknown): void {
    const stack = thrown instanceof Error ? thrown.stack : String(thrown)
    this.#options.log.error('telemetry.bug', 'an export failed for a mistake of ours', { stack })
  }
}
