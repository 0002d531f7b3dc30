/** What we promise of an index that is made beside the calls of agents, and whether this run kept it. */
import type { Target } from '../retrieval/targets.ts'
import { median } from '../statistics.ts'
import type { IndexRound } from './report.ts'

const MAX_RATIO = 1.3
const MAX_SECONDS = 30

export function judgeTargets(rounds: readonly IndexRound[]): Target[] {
  const ratio = median(rounds.map((round) => round.ratio))
  const seconds = median(rounds.map(({ indexMs }) => indexMs)) / 1_000
  return [
    {
      name: "the gateway's p50 while it is indexed, against idle",
      limit: `≤ ${MAX_RATIO}`,
      measured: ratio.toFixed(2),
      met: ratio <= MAX_RATIO,
    },
    {
      name: 'the whole index',
      limit: `≤ ${MAX_SECONDS} s`,
      measured: `${seconds.toFixed(1)} s`,
      met: seconds <= MAX_SECONDS,
    },
  ]
}
