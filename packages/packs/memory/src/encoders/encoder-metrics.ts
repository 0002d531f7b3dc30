/** What encoding cost: how often an encoder was asked, how it ended, how long it took, and how often nobody had to be asked. */
import { Histogram, type Metric } from '@switchboard/telemetry'
import type { EncoderProblem } from './encoder.ts'

/** For whom: somebody waits for a query, nobody for documents. */
export type EncodingRole = 'query' | 'document'

export interface EncoderMetrics {
  collect(): readonly Metric[]
}

/** Seconds; from a query on this machine to a batch that was given up. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 1, 3, 10, 30] as const

interface Account {
  readonly outcomes: Map<string, number>
  readonly durations: Histogram
  texts: number
  cached: number
}

export class EncodingCounts implements EncoderMetrics {
  readonly #accounts: Readonly<Record<EncodingRole, Account>> = { query: createAccount(), document: createAccount() }
  readonly #isOpen: () => boolean

  /** Whether nobody is asked for now, since the last ones failed. */
  constructor(isOpen: () => boolean) {
    this.#isOpen = isOpen
  }

  record(role: EncodingRole, outcome: 'ok' | EncoderProblem, texts: number, milliseconds: number): void {
    const account = this.#accounts[role]
    account.outcomes.set(outcome, (account.outcomes.get(outcome) ?? 0) + 1)
    account.durations.observe(milliseconds / 1_000)
    if (outcome === 'ok') account.texts += texts
  }

  recordCached(role: EncodingRole, texts: number): void {
    this.#accounts[role].cached += texts
  }

  collect(): Metric[] {
    const accounts = Object.entries(this.#accounts)
    const counter = (name: string, help: string, count: (account: Account) => number): Metric => ({
      name,
      help,
      type: 'counter',
      samples: accounts.map(([role, account]) => ({ labels: { role }, value: count(account) })),
    })
    return [
      {
        name: 'switchboard_memory_encoder_requests_total',
        help: 'Requests to the encoder, by what they were for and by how they ended.',
        type: 'counter',
        samples: accounts.flatMap(([role, { outcomes }]) =>
          [...outcomes].map(([outcome, value]) => ({ labels: { role, outcome }, value })),
        ),
      },
      {
        name: 'switchboard_memory_encoder_duration_seconds',
        help: 'How long requests to the encoder took.',
        type: 'histogram',
        samples: accounts.flatMap(([role, { durations }]) => durations.samples({ role })),
      },
      counter(
        'switchboard_memory_encoded_texts_total',
        'Texts that the encoder made vectors of.',
        ({ texts }) => texts,
      ),
      counter(
        'switchboard_memory_encoder_cache_hits_total',
        'Texts whose vector was known already.',
        ({ cached }) => cached,
      ),
      {
        name: 'switchboard_memory_encoder_open',
        help: '1 while the encoder is not asked since it failed before.',
        type: 'gauge',
        samples: [{ value: this.#isOpen() ? 1 : 0 }],
      },
    ]
  }
}

function createAccount(): Account {
  return { outcomes: new Map(), durations: new Histogram(BUCKETS), texts: 0, cached: 0 }
}
