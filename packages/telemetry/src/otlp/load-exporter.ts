/** The exporter is a file of its own beside the command: who sends nothing anywhere never loads it. */
import { findProgram } from '@switchboard/base'
import type { RequestId } from '@switchboard/protocol'
import type { CallSpan, TracedRequest } from '@switchboard/protocol/tracing'
import type { Logger } from '../logging/logger.ts'
import type { Metric } from '../metrics/format-metrics.ts'
import type { ExportEnvironment, TelemetryConfig } from './telemetry-config.ts'

export interface ExporterOptions {
  readonly config: TelemetryConfig
  readonly env: ExportEnvironment
  readonly version: string
  readonly log: Logger
  /** What `/metrics` shows. */
  collect(): readonly Metric[]
}

/** How long a front had a request, in milliseconds of the machine's own clock (`machineTime`). */
export interface FrontTime {
  readonly id: RequestId
  readonly begun: number
  readonly ended: number
}

export interface Exporter {
  /** Undefined: of such a request no span is made. */
  begin(request: TracedRequest): CallSpan | undefined
  noteFrontTimes(instance: string, times: readonly FrontTime[]): void
  /** How the export itself goes. */
  metrics(): Metric[]
  /** Sends what is left, for as long as that. Never rejects. */
  close(timeout: number): Promise<void>
}

const PROGRAM = findProgram(import.meta.url, { bundled: 'otlp-exporter', source: './exporter/main' })

export async function loadExporter(options: ExporterOptions): Promise<Exporter> {
  // The program is that module, wherever it was built to.
  const { startExporter } = (await import(PROGRAM.href)) as typeof import('./exporter/main.ts')
  return startExporter(options)
}
