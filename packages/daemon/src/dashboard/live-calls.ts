/** The calls that end while somebody looks, until they are told: so many in full, of all how long they took. */
import type { CallReport } from '@switchboard/gateway'
import { outcomeOf } from '../audit/audit-call.ts'
import { findFailureCode } from '../audit/failure-code.ts'
import type { CallRow, LatencyPoint } from './wire.ts'

/** More than this nobody reads in half a second. */
const MOST_ROWS = 60

export interface LiveCallsOptions {
  readonly rows: boolean
  /** Of which server; empty: of all; undefined: of none. */
  readonly latency: string | undefined
}

export class LiveCalls {
  readonly #options: LiveCallsOptions
  #rows: CallRow[] = []
  #skipped = 0
  #durations: number[] = []

  constructor(options: LiveCallsOptions) {
    this.#options = options
  }

  /** On the way of every call: nothing of the call is kept but what is told of it. */
  note(report: CallReport): void {
    const { rows, latency } = this.#options
    if (latency !== undefined && (latency === '' || latency === report.provider))
      this.#durations.push(report.durationMs)
    if (!rows) return
    if (this.#rows.length >= MOST_ROWS) {
      // Whoever looks for failures is told of them, however many calls go well.
      const well = this.#rows.findIndex(({ outcome }) => outcome === 'ok')
      this.#rows.splice(Math.max(0, well), 1)
      this.#skipped++
    }
    this.#rows.push(toRow(report))
  }

  takeRows(): { calls?: CallRow[]; skippedCalls?: number } {
    const calls = this.#rows
    const skipped = this.#skipped
    this.#rows = []
    this.#skipped = 0
    if (calls.length === 0) return {}
    return skipped === 0 ? { calls } : { calls, skippedCalls: skipped }
  }

  /** Undefined: nobody asked for it. */
  takeLatency(now: number): LatencyPoint | undefined {
    if (this.#options.latency === undefined) return undefined
    const durations = this.#durations
    this.#durations = []
    return toLatencyPoint(now, durations)
  }
}

export function toLatencyPoint(now: number, durations: number[]): LatencyPoint {
  const sorted = durations.sort((a, b) => a - b)
  const at = (share: number): number | null => {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return value === undefined ? null : Math.round(value * 100) / 100
  }
  return { t: now / 1000, calls: sorted.length, p50: at(0.5), p95: at(0.95) }
}

function toRow(report: CallReport): CallRow {
  const { tool, provider, durationMs } = report
  const { traceId, caller } = report.call
  const code = findFailureCode(report)
  return {
    ts: new Date().toISOString(),
    inst: caller.instance ?? 'daemon',
    trace_id: traceId,
    caller: caller.clientInfo?.name ?? null,
    tool,
    provider,
    outcome: outcomeOf(report, code),
    ...(code === undefined ? {} : { code }),
    duration_ms: Math.round(durationMs * 10) / 10,
  }
}
