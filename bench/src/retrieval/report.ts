/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { Quality } from './judge.ts'
import type { Target } from './targets.ts'

export interface RetrievalRow extends Quality {
  readonly collection: string
  readonly documents: number
  readonly questions: number
  readonly method: string
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface RetrievalReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly quick: boolean
  readonly rows: readonly RetrievalRow[]
  readonly targets: readonly Target[]
}

export function formatRetrievalReport({
  machine,
  loadBefore,
  loadAfter,
  quick,
  rows,
  targets,
}: RetrievalReport): string {
  const warning = quick ? 'A smoke run with a handful of questions: these numbers mean nothing.\n\n' : ''
  return `# Retrieval: what is found, and how far up

${warning}${formatTable(
  ['', ''],
  [
    ['date', machine.date],
    ['commit', machine.commit],
    ['node', `${machine.node}, ${machine.platform}`],
    ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
    ['load average', `${loadBefore} before, ${loadAfter} after`],
  ],
)}

## Targets

${formatTable(
  ['target', 'limit', 'measured', ''],
  targets.map(({ name, limit, measured, met }) => [name, limit, measured, met ? 'met' : '**missed**']),
)}

## Quality and time

${formatTable(
  ['collection', 'texts', 'questions', 'method', 'nDCG@10', 'recall@10', 'MRR@10', 'p50 ms', 'p99 ms'],
  rows.map((row) => [
    row.collection,
    String(row.documents),
    String(row.questions),
    row.method,
    row.ndcg.toFixed(3),
    row.recall.toFixed(3),
    row.mrr.toFixed(3),
    row.p50Ms.toFixed(2),
    row.p99Ms.toFixed(2),
  ]),
)}
`
}
