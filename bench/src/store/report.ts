/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'

export interface Times {
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface StoreRow {
  readonly engine: string
  readonly rows: number
  readonly insertPerSecond: number
  /** One item, acknowledged. */
  readonly save: Times
  /** A search of four words in everything, and in a tenth of it. */
  readonly all: Times
  readonly oneScope: Times
  /** Words and meaning. */
  readonly meaning: Times | undefined
  readonly readersIdle: Times
  readonly readersBusy: Times
  /** Written while the readers read. */
  readonly rowsBeside: number
  readonly megabytes: number
  /** Of this process, its threads included. */
  readonly memoryMB: number
}

export interface StoreReport extends ReportHead {
  readonly quick: boolean
  readonly rows: readonly StoreRow[]
  /** What could not be measured, and why. */
  readonly leftOut: readonly string[]
}

const times = ({ p50Ms, p99Ms }: Times): string => `${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)}`
const whole = (value: number): string => Math.round(value).toLocaleString('en')

export function formatStoreReport(report: StoreReport): string {
  const { quick, rows, leftOut } = report
  const warning = quick ? 'A smoke run with a handful of rows: these numbers mean nothing.\n\n' : ''
  return `# Store: writing, finding, and both at once

${warning}${formatHead(report)}

## Writing and finding

Times are p50 / p99 in milliseconds.

${formatTable(
  ['engine', 'rows', 'rows/s in batches', 'one save', 'search', 'in a tenth of it', 'with meaning', 'MB', 'memory MB'],
  rows.map((row) => [
    row.engine,
    whole(row.rows),
    whole(row.insertPerSecond),
    times(row.save),
    times(row.all),
    times(row.oneScope),
    row.meaning === undefined ? '' : times(row.meaning),
    whole(row.megabytes),
    whole(row.memoryMB),
  ]),
)}

${leftOut.map((reason) => `Left out: ${reason}\n\n`).join('')}## Fifty readers

${formatTable(
  ['engine', 'rows', 'alone', 'beside a writer', 'rows written meanwhile'],
  rows.map((row) => [
    row.engine,
    whole(row.rows),
    times(row.readersIdle),
    times(row.readersBusy),
    whole(row.rowsBeside),
  ]),
)}
`
}
