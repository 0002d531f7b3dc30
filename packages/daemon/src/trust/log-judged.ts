import type { Logger } from '@switchboard/telemetry'
import { keyOf, type OfferedDefinition } from './definition.ts'
import type { TrustEntry, TrustRecord } from './trust-record.ts'

const MAX_NAMED = 5
const MAX_LOGGED = 100

export interface Judged {
  /** As it was before. */
  readonly record: TrustRecord
  readonly changed: readonly TrustEntry[]
  /** False: the configuration says that it is only told. */
  readonly isHeld: boolean
}

/** One line for a server, however much of it changed. */
export function logJudged(log: Logger, { record, changed, isHeld }: Judged): void {
  const { server, entries } = record
  const waiting = changed.filter((entry) => entry.waiting !== undefined)
  if (waiting.length > 0) {
    const reasons = [...new Set(waiting.flatMap((entry) => entry.waiting?.reasons ?? []))]
      .slice(0, MAX_NAMED)
      .join('; ')
    const done = isHeld ? 'held back until a person accepts it' : 'shown, and to be looked at'
    const next = `switchboard trust list ${server}`
    log.warn('trust.held', `${server}: ${listNames(waiting)}: ${done}: ${reasons}. See: ${next}`, {
      server,
      definitions: waiting.map(describeName).slice(0, MAX_LOGGED),
    })
  }
  const isKnown = [...entries.values()].some(({ accepted }) => accepted !== undefined)
  const fresh = changed.filter((entry) => entry.waiting === undefined && !entries.has(keyOf(entry)))
  if (!isKnown || fresh.length === 0) return
  log.info('trust.new', `${server}: new since it was first seen: ${listNames(fresh)}`, {
    server,
    definitions: fresh.map(describeName).slice(0, MAX_LOGGED),
  })
}

function listNames(entries: readonly TrustEntry[]): string {
  const names = entries.map(describeName)
  return names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ')
}

function describeName({ kind, name }: Pick<OfferedDefinition, 'kind' | 'name'>): string {
  return kind === 'instructions' ? 'what it says of itself' : name
}
