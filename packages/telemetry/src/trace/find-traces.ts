/** One call's whole way: what the audit trail and the logs of all processes say under its trace id, in order. */
import { type AuditLine, readAudit } from '../audit/read-audit.ts'
import type { LogLine } from '../reading/log-query.ts'
import { readLogs } from '../reading/read-logs.ts'

export interface TraceLine {
  readonly ts: string
  /** Since the first of them. */
  readonly offset_ms: number
  /** The file it stands in; `audit` for the entry of the audit trail. */
  readonly source: string
  readonly level: LogLine['level']
  readonly cat: string
  readonly msg: string
  readonly data?: unknown
}

export interface Trace {
  readonly trace_id: string
  /** Usually one; a client that sends its own `traceparent` may put several calls under it. */
  readonly calls: readonly AuditLine[]
  readonly steps: readonly TraceLine[]
}

/** What stands under trace ids that begin alike. */
export interface FoundTraces {
  /** None: nothing is known. Several: more of it has to be given. */
  readonly ids: readonly string[]
  readonly calls: readonly AuditLine[]
  readonly steps: readonly TraceLine[]
}

export interface TracePlaces {
  readonly traces: string
  readonly logs: string
}

/** Of calls under one trace id. */
const MAX_CALLS = 1_000
/** How far from the call itself its lines may stand: the clocks are one machine's, but a slow end may be logged late. */
const MARGIN_MS = 60_000

/** `wanted`: hex digits, a trace id or what it begins with. */
export async function findTraces(wanted: string, places: TracePlaces): Promise<FoundTraces> {
  const calls = await readAudit({ directory: places.traces, traceId: wanted, limit: MAX_CALLS })
  const lines = await readLines(wanted, calls, places.logs)
  const ids = new Set([...calls.map((call) => call.trace_id), ...lines.map((line) => line.trace_id ?? '')])
  return { ids: [...ids], calls, steps: ids.size === 1 ? createSteps(calls, lines) : [] }
}

/** With a call that is known the time is known too, and most of the logs need not be read. */
async function readLines(wanted: string, calls: readonly AuditLine[], directory: string): Promise<LogLine[]> {
  const range = calls.length === 0 ? {} : rangeOf(calls)
  const found: LogLine[] = []
  for await (const line of readLogs({ directory, grep: new RegExp(`"trace_id":"${wanted}`), ...range })) {
    // Text that only looks like it may also stand in a message.
    if (line.trace_id?.startsWith(wanted) === true) found.push(line)
  }
  return found
}

function rangeOf(calls: readonly AuditLine[]): { since: number; until: number } {
  const starts = calls.map(({ ts, duration_ms }) => Date.parse(ts) - duration_ms)
  const ends = calls.map(({ ts }) => Date.parse(ts))
  return { since: Math.min(...starts) - MARGIN_MS, until: Math.max(...ends) + MARGIN_MS }
}

function createSteps(calls: readonly AuditLine[], lines: readonly LogLine[]): TraceLine[] {
  const steps = [
    ...(isFollowed(lines) ? [] : calls.flatMap(toTimes)),
    ...lines.map(({ ts, source, level, cat, msg, data }) => ({
      ts,
      source,
      level,
      cat,
      msg,
      ...(data === undefined ? {} : { data }),
    })),
    ...calls.map(toStep),
  ]
  // Stable: of one moment, what is kept of the call's way comes before the lines of files in their order, and the entry that
  // sums up after them.
  steps.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
  const start = Math.min(
    ...steps.map(({ ts }) => Date.parse(ts)),
    ...calls.map(({ ts, duration_ms }) => Date.parse(ts) - duration_ms),
  )
  return steps.map((step) => ({ ...step, offset_ms: Date.parse(step.ts) - start }))
}

/** Who logs its steps has told them already, and more of them. */
function isFollowed(lines: readonly LogLine[]): boolean {
  return lines.some(({ cat }) => cat === 'pool.call')
}

/** What is kept of every call: when it came, waited, was sent and answered. */
function toTimes(call: AuditLine): Omit<TraceLine, 'offset_ms'>[] {
  const { ts, duration_ms, provider, queued_ms, sent_ms, answered_ms } = call
  const begun = Date.parse(ts) - duration_ms
  const step = (ms: number | undefined, msg: string): Omit<TraceLine, 'offset_ms'>[] =>
    ms === undefined
      ? []
      : [{ ts: new Date(begun + ms).toISOString(), source: 'audit', level: 'info', cat: 'audit', msg }]
  return [
    ...step(0, 'came in'),
    ...step(queued_ms, `waits for its turn, or for ${provider} to be up`),
    ...step(sent_ms, `sent to ${provider}`),
    ...step(answered_ms, `${provider} has answered`),
  ]
}

function toStep(call: AuditLine): Omit<TraceLine, 'offset_ms'> {
  const { ts, tool, outcome, code, params_summary, session } = call
  const level = outcome === 'error' ? 'error' : 'info'
  const data = {
    ...(params_summary === '' ? {} : { params: params_summary }),
    ...(session === null ? {} : { session }),
  }
  return { ts, source: 'audit', level, cat: 'audit', msg: `${tool}: ${outcome}${code ? ` (${code})` : ''}`, data }
}
