/** Has roots looked at again, and waits until that is done. */
import { statSync } from 'node:fs'
import type { LensIndex } from './lens-index.ts'
import type { BuildRecord } from './thread/writer/builds.ts'

export interface RebuildOptions {
  readonly roots: readonly number[]
  /** Absolute: only this. */
  readonly path: string | undefined
  readonly isFresh: boolean
  /** False: only waits. */
  readonly isStarted: boolean
  /** Milliseconds; 0: nobody waits. */
  readonly waitMs: number
  readonly signal: AbortSignal
  onProgress(progress: { done: number; total: number }): void
}

export async function rebuild(
  index: LensIndex,
  { roots, path, isFresh, isStarted, waitMs, signal, onProgress }: RebuildOptions,
): Promise<{ build: BuildRecord | undefined; isIdle: boolean }> {
  if (isStarted) {
    if (path === undefined) await index.write('rescan', [roots, isFresh])
    else {
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
      await index.write('enqueue', [[{ kind: isFolder ? 'scan' : 'file', path, isUrgent: true }]])
    }
  }
  const subscription = index.onDidChange(({ queue, build }) => {
    const done = build?.files ?? 0
    onProgress({ done, total: done + queue.pending + queue.running })
  })
  try {
    const isIdle = waitMs > 0 ? await index.waitForIdle(waitMs, signal) : index.isIdle
    return { build: index.state?.build, isIdle }
  } finally {
    subscription.dispose()
  }
}
