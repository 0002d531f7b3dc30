/** The result of a run as Markdown. */
import { formatTable } from '../markdown.ts'
import { formatHead, type ReportHead } from '../report-head.ts'
import type { Comparison } from './compare.ts'
import { explain } from './explain.ts'
import { COMPARED } from './languages.ts'
import type { SymbolRate } from './measure-rate.ts'
import { COMPILER } from './script-tags.ts'

export interface SymbolsRow extends Comparison {
  readonly repository: string
  readonly language: string
}

export interface SymbolsReport extends ReportHead {
  readonly quick: boolean
  /** Its version. */
  readonly ctags: string
  readonly rows: readonly SymbolsRow[]
  readonly rates: readonly SymbolRate[]
  /** What could not be had. */
  readonly missing: readonly string[]
  readonly leftOut: readonly { readonly language: string; readonly what: string }[]
}

/** Fewer of a kind are not listed. */
const MIN_SHOWN = 3

export function formatSymbolsReport(report: SymbolsReport): string {
  const { quick, ctags, rows, rates, missing, leftOut } = report
  const warning = quick ? 'A smoke run: these numbers mean nothing.\n\n' : ''
  return `# Symbols: ours beside those of Universal Ctags ${ctags}

${warning}${formatHead(report)}

## Repositories

The measure is ctags, and for TypeScript its own compiler (\`${COMPILER}\`). Recall: of what it tells, how much we tell;
precision: of what we tell, how much it tells. Judged: without the differences in
which ctags errs, as the source shows (\`src/symbols/known-errors.ts\`; they are listed below with their class).

${formatTable(
  [
    'repository',
    'language',
    'files',
    'measure',
    'ours',
    'theirs',
    'both',
    'recall',
    'precision',
    'judged recall',
    'judged precision',
  ],
  rows.map((row) => [
    ...[
      row.repository,
      row.language,
      String(row.files),
      measureOf(row.language),
      String(row.ours),
      String(row.ctags),
      String(row.both),
    ],
    ...[row.recall, row.precision, row.judgedRecall, row.judgedPrecision].map((share) => share.toFixed(4)),
  ]),
)}
${missing.length === 0 ? '' : `\nLeft out, because they could not be had:\n\n${missing.map((line) => `- ${line}`).join('\n')}\n`}
Not compared, because only one of the two tells it at all:

${leftOut.map(({ language, what }) => `- ${language}: ${what}`).join('\n')}

## Differences

${formatTable(
  ['repository', 'only', 'kind', 'count', 'counts', 'why', 'such as'],
  rows.flatMap(({ repository, language, differences }) =>
    differences
      .filter(({ count }) => count >= MIN_SHOWN)
      .map((difference) => [
        ...[
          repository,
          difference.side === 'ours' ? 'ours' : measureOf(language),
          difference.known === undefined ? difference.kind : 'any',
          String(difference.count),
        ],
        difference.known === undefined ? 'yes' : 'no',
        ...[difference.known ?? explain(language, difference), difference.examples.map(toCode).join(', ')],
      ]),
  ),
)}

## Rate

${formatTable(
  ['threads', 'files', 'MB', 's', 'CPU s', 'files/s', 'MB/s', 'symbols', 'references'],
  rates.map((rate) => [
    ...[String(rate.threads), String(rate.files), rate.megabytes.toFixed(1), rate.seconds.toFixed(1)],
    rate.processorSeconds.toFixed(1),
    ...[(rate.files / rate.seconds).toFixed(0), (rate.megabytes / rate.seconds).toFixed(1)],
    ...[String(rate.symbols), String(rate.references)],
  ]),
)}
`
}

const measureOf = (language: string): string => COMPARED.find(({ name }) => name === language)?.measure ?? 'ctags'

const toCode = (text: string): string => `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``
