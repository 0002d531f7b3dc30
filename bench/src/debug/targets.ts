import { median } from '../statistics.ts'
import { DEBUG_PEER } from './peer.ts'
import type { DebugRow } from './report.ts'

export interface DebugTarget {
  readonly name: string
  readonly limit: string
  readonly measured: string
  /** Undefined: not measured. */
  readonly met: boolean | undefined
}

const MAX_CALLS = 3
const MAX_BYTES = 800
const FASTER = 3

export function judgeDebugTargets(rows: readonly DebugRow[]): DebugTarget[] {
  const ours = rows.filter(({ contender }) => contender !== DEBUG_PEER.name)
  return ours.flatMap((row) => {
    const { language, calls, bytes, isAtLine, locals } = row
    const peer = rows.find((other) => other.contender === DEBUG_PEER.name && other.language === language)
    const ratio = peer === undefined ? undefined : compareFirstStops(row, peer)
    return [
      {
        name: `${language}: calls and bytes`,
        limit: `≤ ${MAX_CALLS}, ≤ ${MAX_BYTES}`,
        measured: `${calls}, ${bytes}`,
        met: calls <= MAX_CALLS && bytes <= MAX_BYTES,
      },
      {
        name: `${language}: stops at the line, complete locals`,
        limit: 'always, 4 of 4',
        measured: `${isAtLine ? 'always' : 'not always'}, ${locals} of 4`,
        met: isAtLine && locals === 4,
      },
      {
        name: `${language}: first stop, times faster than ${DEBUG_PEER.name}`,
        limit: `≥ ${FASTER}`,
        measured: ratio === undefined ? 'not measured' : ratio.toFixed(1),
        met: ratio === undefined ? undefined : ratio >= FASTER,
      },
    ]
  })
}

/** What disturbs the machine disturbs both runs of a round; where rounds are missing, the medians are compared. */
function compareFirstStops(own: DebugRow, peer: DebugRow): number {
  if (own.firstStops.length !== peer.firstStops.length) return peer.firstStopMs / own.firstStopMs
  return median(own.firstStops.map((value, round) => (peer.firstStops[round] ?? Number.NaN) / value))
}
