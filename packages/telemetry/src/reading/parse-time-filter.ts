import { isTimeUnit, UNIT_MS } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { toDay } from '../days.ts'

const AGE = /^(\d{1,9})\s*(ms|s|m|h|d|w)$/
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * A point in time, in ms: `10m`, `2h`, `1d` (so long ago), `now`, `today`, `yesterday`, or an ISO timestamp.
 * Days and timestamps without a zone are UTC, as the logs are.
 */
export function parseTimeFilter(text: string, now: number = Date.now()): number {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === 'now') return now
  if (trimmed === 'today') return toDay(now) * UNIT_MS.d
  if (trimmed === 'yesterday') return (toDay(now) - 1) * UNIT_MS.d
  const [, amount, unit] = AGE.exec(trimmed) ?? []
  if (isTimeUnit(unit)) return now - Number(amount) * UNIT_MS[unit]
  const iso = ISO.exec(trimmed)
  if (iso) {
    const [, date = '', time = '00:00', zone = 'z'] = iso
    const parsed = Date.parse(`${date}T${time}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`)
    // Date.parse rolls 30 February over into March; a filter must not silently mean another day.
    if (!Number.isNaN(parsed) && new Date(Date.parse(`${date}T00:00Z`)).toISOString().startsWith(date)) return parsed
  }
  throw new SwitchboardError('invalid_arguments', `"${text.slice(0, 60)}" is not a time`, {
    hint: 'Use an age such as 30s, 10m, 2h or 1d, or today, yesterday, or an ISO timestamp such as 2026-01-31T08:00:00Z.',
    details: { value: text.slice(0, 60) },
  })
}
