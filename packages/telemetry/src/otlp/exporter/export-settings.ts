/**
 * Where to, how and what: from the configuration, else from the variables that OpenTelemetry names, else its defaults. A variable
 * that makes no sense is told and left aside, as OpenTelemetry wants it.
 */
import type { ExportEnvironment, TelemetryConfig } from '../telemetry-config.ts'
import { SAMPLERS, type SamplerName } from './sampler.ts'

export type Signal = 'traces' | 'metrics'

export interface SignalSettings {
  readonly url: URL
  readonly format: 'protobuf' | 'json'
  readonly headers: Readonly<Record<string, string>>
  readonly isCompressed: boolean
  /** Milliseconds for one attempt. */
  readonly timeout: number
  /** Files of a private authority, and of our own certificate. */
  readonly tls: Readonly<Record<'ca' | 'cert' | 'key', string | undefined>>
}

export interface ExportSettings {
  readonly traces: SignalSettings | undefined
  readonly metrics: SignalSettings | undefined
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: { readonly name: SamplerName; readonly ratio: number }
  readonly content: boolean
  readonly queueSize: number
  readonly batchSize: number
  /** Milliseconds. */
  readonly batchDelay: number
  readonly metricInterval: number
}

export function readExportSettings(
  config: TelemetryConfig,
  env: ExportEnvironment,
  warn: (problem: string) => void,
): ExportSettings {
  const read = new VariableReader(env, warn)
  const queueSize = read.number('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 1)
  return {
    traces: config.traces ? readSignal('traces', config, read) : undefined,
    metrics: config.metrics ? readSignal('metrics', config, read) : undefined,
    resource: {
      ...read.pairs('OTEL_RESOURCE_ATTRIBUTES'),
      ...read.named('OTEL_SERVICE_NAME', 'service.name'),
      ...config.resource,
      ...(config.serviceName === undefined ? {} : { 'service.name': config.serviceName }),
    },
    sampler: readSampler(config, read),
    content: config.content,
    queueSize,
    batchSize: Math.min(queueSize, read.number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1)),
    batchDelay: read.number('OTEL_BSP_SCHEDULE_DELAY', 5_000, 1),
    metricInterval: config.interval ?? read.number('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100),
  }
}

function readSignal(signal: Signal, config: TelemetryConfig, read: VariableReader): SignalSettings | undefined {
  const exporter = read.text(`OTEL_${signal.toUpperCase()}_EXPORTER`)
  // `prometheus` and `console` are said of others: `/metrics` is there in any case.
  if (exporter !== undefined && !exporter.split(',').some((name) => name.trim() === 'otlp')) return undefined
  const url = readUrl(signal, config, read)
  const protocol = config.protocol ?? read.ofSignal(signal, 'PROTOCOL') ?? 'http/protobuf'
  if (url === undefined) return undefined
  if (protocol !== 'http/protobuf' && protocol !== 'http/json') {
    read.warn(
      `OTLP over ${JSON.stringify(protocol)} is not spoken here, and no ${signal} are exported: use http/protobuf or http/json, usually on port 4318`,
    )
    return undefined
  }
  return {
    url,
    format: protocol === 'http/json' ? 'json' : 'protobuf',
    headers: {
      ...read.pairs('OTEL_EXPORTER_OTLP_HEADERS'),
      ...read.pairs(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_HEADERS`),
      ...config.headers,
    },
    isCompressed: read.ofSignal(signal, 'COMPRESSION') === 'gzip',
    timeout: Number(read.ofSignal(signal, 'TIMEOUT') ?? 10_000) || 10_000,
    tls: {
      ca: read.ofSignal(signal, 'CERTIFICATE'),
      cert: read.ofSignal(signal, 'CLIENT_CERTIFICATE'),
      key: read.ofSignal(signal, 'CLIENT_KEY'),
    },
  }
}

/** The general address gets the path of the signal; one of the signal itself is taken as it is. */
function readUrl(signal: Signal, { endpoint }: TelemetryConfig, read: VariableReader): URL | undefined {
  const own = read.text(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`)
  const base = endpoint ?? read.text('OTEL_EXPORTER_OTLP_ENDPOINT')
  const text =
    endpoint === undefined && own !== undefined
      ? own
      : base && `${base.endsWith('/') ? base.slice(0, -1) : base}/v1/${signal}`
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  read.warn(`the endpoint of the ${signal} is no http address, and they are not exported`)
  return undefined
}

function readSampler({ sample }: TelemetryConfig, read: VariableReader): ExportSettings['sampler'] {
  if (sample !== undefined) return { name: 'parentbased_traceidratio', ratio: sample }
  const text = read.text('OTEL_TRACES_SAMPLER')
  const name = SAMPLERS.find((known) => known === text)
  if (text !== undefined && name === undefined)
    read.warn(`OTEL_TRACES_SAMPLER=${text} is none of ${SAMPLERS.join(', ')}; parentbased_always_on holds`)
  const ratio = Number(read.text('OTEL_TRACES_SAMPLER_ARG') ?? 1)
  const fits = ratio >= 0 && ratio <= 1
  if (!fits) read.warn('OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1; 1 holds')
  return { name: name ?? 'parentbased_always_on', ratio: fits ? ratio : 1 }
}

class VariableReader {
  readonly warn: (problem: string) => void
  readonly #env: ExportEnvironment

  constructor(env: ExportEnvironment, warn: (problem: string) => void) {
    this.#env = env
    this.warn = warn
  }

  /** An empty variable is as good as none. */
  text(name: string): string | undefined {
    const text = this.#env[name]?.trim()
    return text === '' ? undefined : text
  }

  ofSignal(signal: Signal, name: string): string | undefined {
    return this.text(`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_${name}`) ?? this.text(`OTEL_EXPORTER_OTLP_${name}`)
  }

  number(name: string, fallback: number, least: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (Number.isFinite(value) && value >= least) return Math.floor(value)
    this.warn(`${name} is no number from ${least} on; ${fallback} holds`)
    return fallback
  }

  named(variable: string, key: string): Record<string, string> {
    const text = this.text(variable)
    return text === undefined ? {} : { [key]: text }
  }

  /** `a=1,b=two%20words`. What is in it may be secret and is never told. */
  pairs(name: string): Record<string, string> {
    const found: Record<string, string> = {}
    for (const part of (this.text(name) ?? '').split(',')) {
      if (part.trim() === '') continue
      const at = part.indexOf('=')
      const key = part.slice(0, Math.max(at, 0)).trim()
      const value = decode(part.slice(at + 1).trim())
      if (key === '' || value === undefined) this.warn(`${name} has a part that is not name=value, and it is left out`)
      else found[key] = value
    }
    return found
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
