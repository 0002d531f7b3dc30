/** How long something may take or ago it was: `90s`, `1500ms`, `2m`, `0.5h`. */

/** Milliseconds of each unit that a person may write. Days and weeks are for ages, not for how long to wait. */
export const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

export type TimeUnit = keyof typeof UNIT_MS

/** A week: timers overflow at 24.8 days, and our own watchdogs wait up to half as long again. */
export const MAX_DURATION_MS = UNIT_MS.w
export const MAX_DURATION_TEXT = '168h'

/** For a JSON Schema: the texts that `parseDuration` takes, except that a pattern cannot know the upper limit. */
export const DURATION_PATTERN = '^(?=[0-9.]*[1-9])[0-9]+(\\.[0-9]+)?(ms|s|m|h)$'

const DURATION_TEXT = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)?$/

export interface DurationForms {
  /** What a text without a unit counts in. Default: such a text is no duration. */
  readonly bareUnit?: TimeUnit
  /** Whether nothing at all is a duration as well. Default: no. */
  readonly allowZero?: boolean
}

/** Whole milliseconds of `90s`, `1500ms`, `2m`, `1h`, `0.5s`, or of a number of them; undefined when it is none up to a week. */
export function parseDuration(value: unknown, forms: DurationForms = {}): number | undefined {
  const milliseconds = typeof value === 'string' ? parseText(value, forms.bareUnit) : value
  if (typeof milliseconds !== 'number' || !Number.isFinite(milliseconds)) return undefined
  if (milliseconds < 0 || milliseconds > MAX_DURATION_MS) return undefined
  return milliseconds === 0 && forms.allowZero !== true ? undefined : Math.ceil(milliseconds)
}

function parseText(text: string, bareUnit: TimeUnit | undefined): number | undefined {
  const [, amount, unit = bareUnit] = DURATION_TEXT.exec(text) ?? []
  return amount === undefined || !isTimeUnit(unit) ? undefined : Number(amount) * UNIT_MS[unit]
}

export function isTimeUnit(text: string | undefined): text is TimeUnit {
  return text !== undefined && Object.hasOwn(UNIT_MS, text)
}
