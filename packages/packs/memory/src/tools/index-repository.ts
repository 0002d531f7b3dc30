import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { IndexRepositoryData, IndexRepositoryParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { describeOutcome } from '../repository/describe-index.ts'
import { locate } from '../repository/locate.ts'

const MAX_SKIPPED = 100

export async function run(
  { path, includePatterns = [], excludePatterns = [], maxFileSize }: IndexRepositoryParams,
  { host, workspace, signal, progress }: Context,
): Promise<ToolOutcome<IndexRepositoryData>> {
  const location = locate(path, workspace)
  const { root } = location
  const request = { ...location, include: includePatterns, exclude: excludePatterns, maxFileSize }
  const outcome = await host.indexer.index(request, {
    signal,
    onProgress: ({ seen, total, stored }) =>
      progress({ progress: seen, total: Math.max(total, seen), message: `${seen} of ${total} files, ${stored} read` }),
  })
  // Whose time was over gets what was done by then; whoever has cancelled wants nothing more.
  if (signal.aborted && !(signal.reason instanceof ToolError && signal.reason.code === 'E_TIMEOUT')) throw signal.reason
  const { scan, files, stored, unchanged, removed, chunks, isComplete } = outcome
  const data = {
    path: root,
    filesIndexed: files,
    filesRead: stored,
    filesUnchanged: unchanged,
    filesRemoved: removed,
    chunks,
    complete: isComplete,
    skipped: (scan?.skipped ?? []).slice(0, MAX_SKIPPED).map(({ path: file, reason }) => ({ path: file, reason })),
    skippedTotal: Object.values(scan?.skippedByReason ?? {}).reduce((sum, count) => sum + count, 0),
    includePatterns,
    excludePatterns,
    maxFileSize,
    indexedAt: new Date(host.clock.wallTime()).toISOString(),
  }
  return { data, text: describeOutcome(outcome, root) }
}
