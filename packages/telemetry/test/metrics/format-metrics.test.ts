import { formatMetrics } from '@switchboard/telemetry'
import { expect, it } from 'vitest'

it('writes help, type and samples, with labels that cannot break out of their line', () => {
  expect(
    formatMetrics([
      { name: 'a_total', help: 'Of a\nand b.', type: 'counter', samples: [{ value: 3 }] },
      {
        name: 'b_seconds',
        help: 'Of b.',
        type: 'histogram',
        samples: [{ suffix: '_bucket', labels: { server: 'x"\\\ny', le: '+Inf' }, value: 0.5 }],
      },
      { name: 'c', help: 'Nothing yet.', type: 'gauge', samples: [] },
    ]),
  ).toBe(
    [
      '# HELP a_total Of a\\nand b.',
      '# TYPE a_total counter',
      'a_total 3',
      '# HELP b_seconds Of b.',
      '# TYPE b_seconds histogram',
      'b_seconds_bucket{server="x\\"\\\\\\ny",le="+Inf"} 0.5',
      '# HELP c Nothing yet.',
      '# TYPE c gauge',
      '',
    ].join('\n'),
  )
})
