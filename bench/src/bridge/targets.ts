/** What we promise of the bridge, and whether this run kept it. */
import type { Target } from '../retrieval/targets.ts'
import type { BridgeRow } from './report.ts'

const MAX_MEDIAN_MS = 10
const MAX_P99_MS = 50

export function judgeTargets([trivial]: readonly BridgeRow[]): Target[] {
  if (trivial === undefined) return []
  const { p50Ms, p99Ms } = trivial
  const atMost = (name: string, limit: number, value: number): Target => ({
    name,
    limit: `≤ ${limit} ms`,
    measured: `${value.toFixed(2)} ms`,
    met: value <= limit,
  })
  return [
    atMost('a trivial command, median', MAX_MEDIAN_MS, p50Ms),
    atMost('a trivial command, p99', MAX_P99_MS, p99Ms),
  ]
}
