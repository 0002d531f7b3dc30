/** What we promise of the order in which things are found, and whether this run kept it. */
import type { RetrievalRow } from './report.ts'

export interface Target {
  readonly name: string
  readonly limit: string
  readonly measured: string
  readonly met: boolean
}

/** nDCG@10 of text search alone. The published best of plain words is about as high. */
const LEAST: Readonly<Record<string, number>> = { cosqa: 0.39, cranfield: 0.39, rusterr: 0.745 }

/** How far an engine may be behind the embedded one. */
const MOST_BEHIND = 0.02

export function judgeTargets(rows: readonly RetrievalRow[]): Target[] {
  const ours = rows.filter(({ method }) => method === 'Switchboard')
  return ours.flatMap(({ collection, ndcg }) => [
    ...judgeQuality(collection, ndcg),
    ...rows
      .filter((row) => row.collection === collection && row.method.startsWith('Switchboard, PostgreSQL'))
      .map((row) => ({
        name: `nDCG@10, ${collection}, PostgreSQL`,
        limit: `≥ ${(ndcg - MOST_BEHIND).toFixed(4)}`,
        measured: row.ndcg.toFixed(4),
        met: row.ndcg >= ndcg - MOST_BEHIND,
      })),
  ])
}

function judgeQuality(collection: string, ndcg: number): Target[] {
  const least = LEAST[collection]
  if (least === undefined) return []
  return [{ name: `nDCG@10, ${collection}`, limit: `≥ ${least}`, measured: ndcg.toFixed(4), met: ndcg >= least }]
}
