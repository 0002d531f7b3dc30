import { SwitchboardError } from '@switchboard/protocol/errors'
import { expect, test } from 'vitest'
import { parseTimeFilter } from '../../src/reading/parse-time-filter.ts'

const now = Date.parse('2026-03-10T12:34:56.789Z')

test.each([
  ['10m', '2026-03-10T12:24:56.789Z'],
  ['2h', '2026-03-10T10:34:56.789Z'],
  ['1d', '2026-03-09T12:34:56.789Z'],
  ['1w', '2026-03-03T12:34:56.789Z'],
  ['30 s', '2026-03-10T12:34:26.789Z'],
  ['500ms', '2026-03-10T12:34:56.289Z'],
  ['now', '2026-03-10T12:34:56.789Z'],
  [' Today ', '2026-03-10T00:00:00.000Z'],
  ['yesterday', '2026-03-09T00:00:00.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T08:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31 08:00:01', '2026-01-31T08:00:01.000Z'],
  ['2026-01-31T08:00:00.5Z', '2026-01-31T08:00:00.500Z'],
  ['2026-01-31t08:00:00+0200', '2026-01-31T06:00:00.000Z'],
])('%j is a time', (text, expected) => {
  expect(new Date(parseTimeFilter(text, now)).toISOString()).toBe(expected)
})

test.each(['', 'soon', '10', '10 minutes ago', '-5m', '2026-13-01', '2026-02-30', '2026-01-31T25:00Z', '1e3s'])(
  '%j is refused with what would be right',
  (text) => {
    expect(() => parseTimeFilter(text, now)).toThrow(SwitchboardError)
    expect(() => parseTimeFilter(text, now)).toThrow(`"${text}" is not a time`)
  },
)
