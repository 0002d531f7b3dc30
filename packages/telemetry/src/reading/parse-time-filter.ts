import { SwitchboardError } from '@switchboard/protocol'
import { toDay } from '../clock.ts'

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

const AGE = /^(\d{1,9})\s*(ms|s|m|h|d|w)$/
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * A point in time, in ms: `10m`, `2h`, `1d` (so long ago), `now`, `today`, `yesterday`, or an ISO timestamp.
 * Days and timestamps without a zone are UTC, as the logs are.
 */
export function parseTimeFilter(text: string, now: number = Date.now()): number {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === 'now') return now
  if (trimmed === 'today') return toDay(now) * 86_400_000
  if (trimmed === 'yesterday') return (toDay(now) - 1) * 86_400_000
  const age = AGE.exec(trimmed)
  if (age) return now - Number(age[1]) * (UNIT_MS[age[2] ?? ''] ?? 0)
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
