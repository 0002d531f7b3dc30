/** The index as the daemon's socket knows it: a queue that takes paths, and tells what it did. */
import { realpathSync } from 'node:fs'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type FileWork, NEVER_RAN, type RecentActivity } from '@switchboard/toolkit'
import type { LensIndex } from './lens-index.ts'

export function createFileWork(index: LensIndex): FileWork {
  const counts: FileWork['counts'] = () => index.state?.queue ?? { pending: 0, running: 0, failed: 0 }
  return {
    get isIdle() {
      return index.isIdle
    },
    counts,
    recentActivity: () => describeActivity(index),
    async enqueue(items) {
      const wanted = items.map(({ kind, path, priority }) => ({
        kind,
        path: realOf(path),
        isUrgent: priority === 'high',
      }))
      const scans = wanted.filter(({ kind }) => kind === 'scan')
      if (scans.length > 0) {
        await index.write('addRoots', [scans.map(({ path }) => ({ path, kind: 'workspace' as const, exclude: [] }))])
      }
      const { enqueued, deduped, outside } = await index.write('enqueue', [wanted])
      if (outside.length > 0 && enqueued + deduped === 0) {
        throw new SwitchboardError('invalid_arguments', `"${outside[0]}" lies in no folder that is indexed`, {
          hint: 'Call enqueue_scan with the folder first.',
        })
      }
      return { enqueued, deduped }
    },
    async awaitIdle(ms, signal) {
      await index.refresh()
      const idle = await index.waitForIdle(ms, signal)
      signal?.throwIfAborted()
      return { idle, timed_out: !idle, queue: counts(), recent_activity: describeActivity(index) }
    },
  }
}

function describeActivity({ state }: LensIndex): RecentActivity {
  const build = state?.build
  if (build === undefined) return NEVER_RAN
  const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
  return {
    state: build.state === 'running' ? 'running' : build.state === 'failed' ? 'failed' : 'idle',
    run_id: String(build.id),
    started_at: isoOf(build.startedAt),
    items: build.files,
    errors: build.errors,
    first_item_at: isoOf(build.firstAt),
    last_item_at: isoOf(build.lastAt),
    idle_since: isoOf(build.endedAt),
  }
}

/** Of a file that is gone, as it was told. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
