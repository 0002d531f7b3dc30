const UNITS: Readonly<Partial<Record<string, number>>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A week: timers overflow at 24.8 days, and our own watchdogs wait up to half as long again. */
export const MAX_DURATION_MS = 7 * 24 * 3_600_000
export const MAX_DURATION_TEXT = '168h'

/** For the JSON Schema: the same texts, except that it cannot know the upper limit. */
export const DURATION_PATTERN = '^(?=[0-9.]*[1-9])[0-9]+(\\.[0-9]+)?(ms|s|m|h)$'

/** Milliseconds of "90s", "1500ms", "2m", "1h", "0.5s" or of a number; undefined when it is no usable duration. */
export function parseDuration(value: unknown): number | undefined {
  const milliseconds = typeof value === 'string' ? parseText(value) : value
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds)) return undefined
  if (milliseconds <= 0 || milliseconds > MAX_DURATION_MS) return undefined
  return Math.ceil(milliseconds)
}

function parseText(text: string): number | undefined {
  const [, amount, unit] = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)$/.exec(text) ?? []
  const factor = unit === undefined ? undefined : UNITS[unit]
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor
}
