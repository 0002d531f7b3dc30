/** The measurements of `/metrics` as OTLP has them: the names without what Prometheus adds to them, which is told apart there. */
import type { Metric, Sample } from '../../metrics/format-metrics.ts'
import {
  CUMULATIVE,
  type HistogramPoint,
  type MetricMessage,
  type NumberPoint,
  toKeyValues,
} from './encode/messages.ts'

const UNITS: readonly (readonly [ending: string, unit: string])[] = [
  ['_seconds', 's'],
  ['_bytes', 'By'],
]

/** Times are nanoseconds since the epoch, as texts. */
export function createMetricMessages(metrics: readonly Metric[], started: string, now: string): MetricMessage[] {
  return metrics.flatMap((metric): MetricMessage[] => {
    if (metric.samples.length === 0) return []
    const { name, unit } = readName(metric)
    const common = { name, unit, description: metric.help }
    const times = { startTimeUnixNano: started, timeUnixNano: now }
    if (metric.type === 'histogram') {
      const dataPoints = groupHistogram(metric.samples).map((samples) => createHistogramPoint(samples, times))
      return [{ ...common, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } }]
    }
    const dataPoints = metric.samples.map(
      ({ labels = {}, value }): NumberPoint => ({ ...times, attributes: toKeyValues(labels), asDouble: value }),
    )
    return metric.type === 'counter'
      ? [{ ...common, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } }]
      : [{ ...common, gauge: { dataPoints } }]
  })
}

/** `switchboard_call_duration_seconds` becomes `switchboard.call_duration` in `s`; a collector that writes for Prometheus puts them together again. */
function readName({ name, type }: Metric): { name: string; unit: string } {
  if (name.includes('.')) return { name, unit: 's' }
  const counted = type === 'counter' && name.endsWith('_total') ? name.slice(0, -'_total'.length) : name
  const [ending = '', unit = '1'] = UNITS.find(([known]) => counted.endsWith(known)) ?? []
  return { name: counted.slice(0, counted.length - ending.length).replace('_', '.'), unit }
}

/** Those of one series: they differ in their bound only. */
function groupHistogram(samples: readonly Sample[]): Sample[][] {
  const groups = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _bound, ...labels } = sample.labels ?? {}
    const key = JSON.stringify(labels)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [sample])
    else group.push(sample)
  }
  return [...groups.values()]
}

function createHistogramPoint(
  samples: readonly Sample[],
  times: Pick<HistogramPoint, 'startTimeUnixNano' | 'timeUnixNano'>,
): HistogramPoint {
  const { le: _bound, ...labels } = samples[0]?.labels ?? {}
  const buckets = samples.filter(({ suffix }) => suffix === '_bucket')
  const read = (suffix: string): number => samples.find((sample) => sample.suffix === suffix)?.value ?? 0
  return {
    ...times,
    attributes: toKeyValues(labels),
    count: String(read('_count')),
    sum: read('_sum'),
    // There each bucket holds what is in those before it as well.
    bucketCounts: buckets.map(({ value }, index) => String(value - (buckets[index - 1]?.value ?? 0))),
    explicitBounds: buckets.slice(0, -1).map(({ labels: { le = '' } = {} }) => Number(le)),
  }
}
