export {
  type CollectedMetric,
  type CollectedSpan,
  type Collector,
  type CollectorAnswer,
  type ReceivedExport,
  startCollector,
} from './collector.ts'
