/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'
import type { Quality } from './judge.ts'

export interface RetrievalRow extends Quality {
  readonly collection: string
  readonly documents: number
  readonly questions: number
  readonly method: string
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface RetrievalReport extends ReportHead {
  readonly quick: boolean
  readonly rows: readonly RetrievalRow[]
}

export function formatRetrievalReport(report: RetrievalReport): string {
  const { quick, rows } = report
  const warning = quick ? 'A smoke run with a handful of questions: these numbers mean nothing.\n\n' : ''
  return `# Retrieval: what is found, and how far up

${warning}${formatHead(report)}

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
