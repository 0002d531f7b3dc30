export { type Exporter, type ExporterOptions, type FrontTime, loadExporter } from './load-exporter.ts'
export { isExportWanted, type TelemetryConfig } from './telemetry-config.ts'
