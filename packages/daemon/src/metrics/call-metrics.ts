/** How many calls each server and pack had, how they ended, how long they took and how much they returned. */
import type { CallReport } from '@switchboard/gateway'
import type { Metric, Sample } from '@switchboard/telemetry'
import { findFailureCode } from '../audit/failure-code.ts'

/** Seconds; from what is answered from memory to what is waited for. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

interface Account {
  /** By `ok`, `tool_error` or the code of the failure. */
  readonly outcomes: Map<string, number>
  /** Calls that took no longer than each bucket and longer than the one before. */
  readonly buckets: number[]
  seconds: number
  calls: number
  bytes: number
}

export class CallMetrics {
  readonly #accounts = new Map<string, Account>()

  record(report: CallReport, bytes: number): void {
    const { provider, outcome, durationMs } = report
    const account = this.#accounts.get(provider) ?? this.#open(provider)
    const code = findFailureCode(report) ?? outcome
    const seconds = durationMs / 1000
    const bucket = BUCKETS.findIndex((most) => seconds <= most)
    account.outcomes.set(code, (account.outcomes.get(code) ?? 0) + 1)
    if (bucket >= 0) account.buckets[bucket] = (account.buckets[bucket] ?? 0) + 1
    account.calls++
    account.seconds += seconds
    account.bytes += bytes
  }

  /** Default: of all. */
  collect(isShown: (provider: string) => boolean = () => true): Metric[] {
    const accounts = [...this.#accounts].filter(([provider]) => isShown(provider))
    return [
      {
        name: 'switchboard_calls_total',
        help: 'Finished tool calls, by server and by how they ended: ok, tool_error or the code of the failure.',
        type: 'counter',
        samples: accounts.flatMap(([server, { outcomes }]) =>
          [...outcomes].map(([code, value]) => ({ labels: { server, code }, value })),
        ),
      },
      {
        name: 'switchboard_call_duration_seconds',
        help: 'How long tool calls took, waits included.',
        type: 'histogram',
        samples: accounts.flatMap(([server, account]) => toHistogram(server, account)),
      },
      {
        name: 'switchboard_result_bytes_total',
        help: 'Text and data in the results of tool calls, in characters.',
        type: 'counter',
        samples: accounts.map(([server, { bytes }]) => ({ labels: { server }, value: bytes })),
      },
    ]
  }

  #open(provider: string): Account {
    const account = { outcomes: new Map(), buckets: BUCKETS.map(() => 0), seconds: 0, calls: 0, bytes: 0 }
    this.#accounts.set(provider, account)
    return account
  }
}

function toHistogram(server: string, { buckets, seconds, calls }: Account): Sample[] {
  let sum = 0
  const upTo = BUCKETS.map((most, index) => {
    sum += buckets[index] ?? 0
    return { suffix: '_bucket', labels: { server, le: String(most) }, value: sum }
  })
  return [
    ...upTo,
    { suffix: '_bucket', labels: { server, le: '+Inf' }, value: calls },
    { suffix: '_sum', labels: { server }, value: seconds },
    { suffix: '_count', labels: { server }, value: calls },
  ]
}
