/** What we promise of the embedded store, and whether this run kept it. */
import type { Target } from '../retrieval/targets.ts'
import type { StoreRow } from './report.ts'

const MAX_SLOWER = 3

export function judgeTargets(rows: readonly StoreRow[]): Target[] {
  const of = (size: number): StoreRow[] => rows.filter((row) => row.engine === 'embedded' && row.rows === size)
  const atMost = (name: string, limit: number, unit: string, value: number): Target => ({
    name,
    limit: `≤ ${limit}${unit}`,
    measured: `${value.toFixed(2)}${unit}`,
    met: value <= limit,
  })
  return [
    ...of(100_000).flatMap(({ all, save, insertPerSecond, readersIdle, readersBusy }) => [
      atMost('search of 100,000 rows, p50', 15, ' ms', all.p50Ms),
      atMost('search of 100,000 rows, p99', 35, ' ms', all.p99Ms),
      atMost('one acknowledged save, p50', 2, ' ms', save.p50Ms),
      {
        name: 'rows in batches',
        limit: '≥ 20,000/s',
        measured: `${Math.round(insertPerSecond).toLocaleString('en')}/s`,
        met: insertPerSecond >= 20_000,
      },
      atMost(
        'fifty readers beside a writer, p99 against alone',
        MAX_SLOWER,
        '×',
        readersBusy.p99Ms / readersIdle.p99Ms,
      ),
    ]),
    ...of(1_000_000).map(({ all }) => atMost('search of 1,000,000 rows, p50', 150, ' ms', all.p50Ms)),
  ]
}
