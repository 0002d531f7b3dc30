/** How many calls each server and pack had, how they ended, how long they took and how much they returned. */
import type { CallReport } from '@switchboard/gateway'
import { isPackProvider } from '@switchboard/protocol/naming'
import { Histogram, type Metric } from '@switchboard/telemetry'
import { findFailureCode } from '../audit/failure-code.ts'

/** Seconds; from what is answered from memory to what is waited for. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

interface Account {
  /** By `ok`, `tool_error` or the code of the failure. */
  readonly outcomes: Map<string, number>
  readonly durations: Histogram
  /** Of a pack, by tool: ours are few and known, a server may have any number with any names. */
  readonly tools: Map<string, Histogram>
  bytes: number
}

export class CallMetrics {
  readonly #accounts = new Map<string, Account>()

  record(report: CallReport, bytes: number): void {
    const { tool, provider, outcome, durationMs } = report
    const account = this.#accounts.get(provider) ?? this.#open(provider)
    const code = findFailureCode(report) ?? outcome
    account.outcomes.set(code, (account.outcomes.get(code) ?? 0) + 1)
    account.durations.observe(durationMs / 1000)
    account.bytes += bytes
    // What did not run may have been called anything: names that callers make up are no series.
    if (!isPackProvider(provider) || outcome === 'failed') return
    const durations = account.tools.get(tool) ?? new Histogram(BUCKETS)
    account.tools.set(tool, durations)
    durations.observe(durationMs / 1000)
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
        samples: accounts.flatMap(([server, { durations }]) => durations.samples({ server })),
      },
      {
        name: 'switchboard_tool_duration_seconds',
        help: 'How long each tool of our own packs took.',
        type: 'histogram',
        samples: accounts.flatMap(([server, { tools }]) =>
          [...tools].flatMap(([tool, durations]) => durations.samples({ server, tool })),
        ),
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
    const account = { outcomes: new Map(), durations: new Histogram(BUCKETS), tools: new Map(), bytes: 0 }
    this.#accounts.set(provider, account)
    return account
  }
}
