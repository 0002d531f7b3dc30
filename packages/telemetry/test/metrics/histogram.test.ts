import { expect, test } from 'vitest'
import { formatMetrics } from '../../src/metrics/format-metrics.ts'
import { Histogram } from '../../src/metrics/histogram.ts'

test('a histogram counts what is at most each bound, and all of it', () => {
  const histogram = new Histogram([1, 5])
  for (const value of [0.5, 1, 3, 100]) histogram.observe(value)
  const samples = histogram.samples({ role: 'query' })
  expect(formatMetrics([{ name: 'took', help: 'How long.', type: 'histogram', samples }]).split('\n')).toEqual([
    '# HELP took How long.',
    '# TYPE took histogram',
    'took_bucket{role="query",le="1"} 2',
    'took_bucket{role="query",le="5"} 3',
    'took_bucket{role="query",le="+Inf"} 4',
    'took_sum{role="query"} 104.5',
    'took_count{role="query"} 4',
    '',
  ])
})
