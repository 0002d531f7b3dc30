export { MAX_FILE_BYTES, MAX_PENDING_BYTES } from './append/append-writer.ts'
export type { TextSink } from './append/fallback-stream.ts'
export { type AuditEntry, type AuditTrail, type AuditTrailOptions, createAuditTrail } from './audit/audit-trail.ts'
export { type AuditLine, type AuditQuery, readAudit } from './audit/read-audit.ts'
export { summarizeParams } from './audit/summarize-params.ts'
export type { Clock } from './clock.ts'
export { createFileLogger, type FileLoggerOptions } from './logging/file-logger.ts'
export { type LogFileOwner, logFileName } from './logging/log-file-name.ts'
export { DEFAULT_LOG_LEVEL, readLogLevel } from './logging/log-level.ts'
export { isLogLevel, LOG_LEVELS, type LogFields, type Logger, type LogLevel, type LogRecord } from './logging/logger.ts'
export {
  createMemoryLogger,
  type MemoryLogger,
  type MemoryLoggerOptions,
  silentLogger,
} from './logging/memory-logger.ts'
export { type MaskOptions, maskSecrets } from './masking/mask-secrets.ts'
export { cleanText, MASK, MAX_TEXT, maskForms, maskText } from './masking/mask-text.ts'
export { formatMetrics, METRICS_CONTENT_TYPE, type Metric, type Sample } from './metrics/format-metrics.ts'
export { type FollowQuery, followLogs } from './reading/follow-logs.ts'
export type { LogFilters, LogLine, LogQuery } from './reading/log-query.ts'
export { parseTimeFilter } from './reading/parse-time-filter.ts'
export { readLogs } from './reading/read-logs.ts'
