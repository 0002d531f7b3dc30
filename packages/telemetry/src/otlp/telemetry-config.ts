/** What a person may say of the export, read already. Where a key is absent the variables of OpenTelemetry are asked. */
export interface TelemetryConfig {
  readonly endpoint?: string | undefined
  readonly protocol?: 'http/protobuf' | 'http/json' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly serviceName?: string | undefined
  readonly resource?: Readonly<Record<string, string>> | undefined
  /** From 0 to 1: of the traces that begin with us. */
  readonly sample?: number | undefined
  readonly traces: boolean
  readonly metrics: boolean
  /** Milliseconds between two exports of the measurements. */
  readonly interval?: number | undefined
  /** What tools are called with and return. */
  readonly content: boolean
}

export type ExportEnvironment = Readonly<Record<string, string | undefined>>

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const

/** Only somewhere to send to turns it on. `config` is undefined where it was switched off. */
export function isExportWanted(config: TelemetryConfig | undefined, env: ExportEnvironment): boolean {
  if (config === undefined || env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return false
  return config.endpoint !== undefined || ENDPOINTS.some((name) => (env[name] ?? '').trim() !== '')
}
