const DAY_MS = 86_400_000

/** Days since 1970 in UTC: what daily rotation and retention count in. */
export function toDay(time: number): number {
  return Math.floor(time / DAY_MS)
}

/** `YYYY-MM-DD` of a day number. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The day number of `YYYY-MM-DD`, undefined when that is no date. */
export function parseDay(text: string): number | undefined {
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return Number.isNaN(time) ? undefined : toDay(time)
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. A clock that answers nonsense gives the epoch rather than an exception. */
export function formatTimestamp(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '1970-01-01T00:00:00.000Z' : date.toISOString()
}
