/** How every report begins: what it was measured on, and what was promised. */
import type { MachineFacts } from './machine.ts'
import { formatTable } from './markdown.ts'
import type { Target } from './retrieval/targets.ts'

export interface ReportHead {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly targets: readonly Target[]
}

export function formatHead({ machine, loadBefore, loadAfter, targets }: ReportHead): string {
  return `${formatTable(
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
)}`
}
