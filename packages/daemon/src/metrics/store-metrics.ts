/** What the store was asked for: how long each operation took, what waits, and how often a search found something. */
import type { StoreObserver } from '@switchboard/store'
import { Histogram, type Metric } from '@switchboard/telemetry'
import { BUCKETS } from './call-metrics.ts'

export class StoreMetrics {
  readonly #durations = new Map<string, Histogram>()
  readonly #failures = new Map<string, number>()
  /** By space: how many searches there were, and how many of them found something. */
  readonly #searches = new Map<string, { found: number; empty: number }>()
  #waiting = 0

  readonly observer: StoreObserver = {
    onBegun: () => {
      this.#waiting++
    },
    onEnded: ({ name, space, milliseconds, isDone, hits }) => {
      this.#waiting--
      const durations = this.#durations.get(name) ?? new Histogram(BUCKETS)
      this.#durations.set(name, durations)
      durations.observe(milliseconds / 1000)
      if (!isDone) this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1)
      if (hits === undefined || space === undefined) return
      const searches = this.#searches.get(space) ?? { found: 0, empty: 0 }
      searches[hits > 0 ? 'found' : 'empty']++
      this.#searches.set(space, searches)
    },
  }

  collect(): Metric[] {
    return [
      {
        name: 'switchboard_store_operation_duration_seconds',
        help: 'How long operations of the store took, waits included.',
        type: 'histogram',
        samples: [...this.#durations].flatMap(([operation, durations]) => durations.samples({ operation })),
      },
      {
        name: 'switchboard_store_failures_total',
        help: 'Operations of the store that failed or were cancelled.',
        type: 'counter',
        samples: [...this.#failures].map(([operation, value]) => ({ labels: { operation }, value })),
      },
      {
        name: 'switchboard_store_waiting',
        help: 'Operations of the store that are not answered yet.',
        type: 'gauge',
        samples: [{ value: this.#waiting }],
      },
      {
        name: 'switchboard_store_searches_total',
        help: 'Searches of each space, by whether they found something.',
        type: 'counter',
        samples: [...this.#searches].flatMap(([space, { found, empty }]) => [
          { labels: { space, outcome: 'found' }, value: found },
          { labels: { space, outcome: 'empty' }, value: empty },
        ]),
      },
    ]
  }
}
