import { MAX_DURATION_TEXT, parseDuration } from '@switchboard/base'
import { UsageError } from './usage-error.ts'

/** Milliseconds of the value of an option: `90s`, `1500ms`, `2m`, `0.5h`; a plain number is seconds. */
export function readDuration(text: string, option: string, command: string): number {
  const duration = parseDuration(text.trim(), { bareUnit: 's', allowZero: true })
  if (duration !== undefined) return duration
  throw new UsageError(`--${option} cannot be "${text}".`, {
    command,
    hint: `Write a duration of at most ${MAX_DURATION_TEXT}, such as 90s, 1500ms, 2m or 1h.`,
  })
}
