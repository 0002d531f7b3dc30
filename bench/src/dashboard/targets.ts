/** What we promise of an open dashboard, and whether this run kept it. */
import type { Target } from '../retrieval/targets.ts'
import { median } from '../statistics.ts'
import type { DashboardRow } from './report.ts'

const MAX_SHARE = 0.2
/** Less than what two runs without a page differ by. */
const MAX_RATIO = 1.1

export function judgeTargets(rows: readonly DashboardRow[]): Target[] {
  const of = (view: string): DashboardRow[] => rows.filter((row) => row.view === view)
  const idle = of('')
  return [...new Set(rows.map(({ view }) => view))]
    .filter((view) => view !== '')
    .flatMap((view) => {
      const share = median(of(view).map(({ browserShare }) => browserShare))
      // Each against the one of its own round: the machine is slower and faster in turns.
      const ratio = median(of(view).map(({ p50Ms }, round) => p50Ms / (idle[round]?.p50Ms ?? Number.NaN)))
      return [
        {
          name: `CPU of the browser, the view ${view}`,
          limit: `≤ ${MAX_SHARE * 100} % of a core`,
          measured: `${(share * 100).toFixed(1)} %`,
          met: share <= MAX_SHARE,
        },
        {
          name: `p50 of a call, the view ${view} against nobody`,
          limit: `≤ ${MAX_RATIO}×`,
          measured: `${ratio.toFixed(2)}×`,
          met: ratio <= MAX_RATIO,
        },
      ]
    })
}
