/** What we promise of the lens, and whether this run kept it. */
import type { Target } from '../retrieval/targets.ts'
import { median, percentile } from '../statistics.ts'
import type { LensSet } from './report.ts'

/** What the playset that a program wrote is called. */
export const WRITTEN = 'written playset'

export function judgeTargets(sets: readonly LensSet[]): Target[] {
  return sets.flatMap(({ name, files, build, readings }) => {
    const targets: Target[] = []
    const most = (what: string, value: number, limit: number, unit: string): void => {
      const measured = `${value.toFixed(unit === '' ? 2 : 1)}${unit}`
      targets.push({ name: `${name}: ${what}`, limit: `≤ ${limit}${unit}`, measured, met: value <= limit })
    }
    for (const { work, threads, megabytes, seconds } of readings) {
      const least = work === 'parse' ? (threads === 1 ? 110 : 200) : undefined
      if (least === undefined || seconds === 0) continue
      const rate = megabytes / seconds
      const measured = `${rate.toFixed(0)} MB/s`
      targets.push({
        name: `${name}: parse, ${threads} thread(s)`,
        limit: `≥ ${least} MB/s`,
        measured,
        met: rate >= least,
      })
    }
    if (build === undefined) return targets
    // What is promised is promised of a playset; a smaller one is counted up.
    if (name === WRITTEN) {
      most('whole build of 92,000 files', (build.buildSeconds / files) * 92_000, 120, ' s')
      most('rescan of 92,000 files with nothing changed', (build.rescanSeconds / files) * 92_000, 10, ' s')
    }
    most('an edit is searchable', median(build.editMs) / 1_000, 1, ' s')
    most('a search, p50', median(build.searchMs), 50, ' ms')
    if (build.busySearchMs.length > 0) most('a search meanwhile, p50', median(build.busySearchMs), 50, ' ms')
    most('a search for a common word', build.commonBytes, 1_500, ' bytes')
    most('health meanwhile, p99', percentile(build.healthMs, 0.99), 50, ' ms')
    most("the gateway's p50 meanwhile, against idle", build.busyP50Ms / build.idleP50Ms, 1.3, '')
    most('memory of the daemon', build.peakMB, 600, ' MB')
    return targets
  })
}
