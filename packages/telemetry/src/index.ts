export type { TextSink } from './append/fallback-stream.ts'
export { type AuditEntry, type AuditTrail, type AuditTrailOptions, createAuditTrail } from './audit/audit-trail.ts'
export { type AuditLine, type AuditQuery, readAudit } from './audit/read-audit.ts'
export { summarizeParams } from './audit/summarize-params.ts'
export { createFileLogger, type FileLoggerOptions } from './logging/file-logger.ts'
export { forCall } from './logging/for-call.ts'
export { createLimitedLogger, type LimitedLoggerOptions } from './logging/limited-logger.ts'
export { type LogFileOwner, logFileName } from './logging/log-file-name.ts'
export { LogHold } from './logging/log-hold.ts'
export { readLogLevel } from './logging/log-level.ts'
export type { LogFields, Logger, LogLevel, LogRecord } from './logging/logger.ts'
export {
  createMemoryLogger,
  type MemoryLogger,
  type MemoryLoggerOptions,
  silentLogger,
} from './logging/memory-logger.ts'
export { maskArguments, maskCommandLine } from './masking/mask-arguments.ts'
export { looksLikeSecret, maskLooks, readEnvironmentSecrets } from './masking/mask-looks.ts'
export { MASK, maskText } from './masking/mask-text.ts'
export { PrivateKeyLines } from './masking/private-key-lines.ts'
export { type SecretScan, scanSecrets } from './masking/scan-secrets.ts'
export { formatMetrics, METRICS_CONTENT_TYPE, type Metric, type Sample } from './metrics/format-metrics.ts'
export { Histogram } from './metrics/histogram.ts'
export { type FollowQuery, followLogs } from './reading/follow-logs.ts'
export type { LogFilters, LogLine, LogQuery } from './reading/log-query.ts'
export { parseTimeFilter } from './reading/parse-time-filter.ts'
export { readLogs } from './reading/read-logs.ts'
export { type FoundTraces, findTraces, type Trace, type TraceLine, type TracePlaces } from './trace/find-traces.ts'
