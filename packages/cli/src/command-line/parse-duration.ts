import { UsageError } from '../usage-error.ts'

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const MAX_MS = 7 * 24 * 3_600_000

/** Milliseconds of the value of an option: `90s`, `1500ms`, `2m`, `0.5h`; a plain number is seconds. */
export function parseDuration(text: string, option: string, command: string): number {
  const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? []
  const ms = amount === undefined ? Number.NaN : Number(amount) * (UNIT_MS[unit] ?? Number.NaN)
  if (!Number.isFinite(ms) || ms > MAX_MS) {
    throw new UsageError(`--${option} cannot be "${text}".`, {
      command,
      hint: 'Write a duration of at most 168h, such as 90s, 1500ms, 2m or 1h.',
    })
  }
  return Math.ceil(ms)
}
