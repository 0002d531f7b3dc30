import { join } from 'node:path'
import type { ToolOutcome } from '@switchboard/toolkit'
import { describeIndex } from '../answers/describe-index.ts'
import type { LensRebuildData, LensRebuildParams } from '../generated/types.ts'
import { type Context, scopeOf } from '../host.ts'
import { rebuild } from '../rebuild.ts'
import { resolvePath } from '../workspaces.ts'

export async function run(
  { path, fresh, wait, cancel, timeoutMs }: LensRebuildParams,
  context: Context,
): Promise<ToolOutcome<LensRebuildData>> {
  const { host, signal, progress } = context
  const scope = await scopeOf(context)
  const place = path === undefined ? undefined : resolvePath(scope, path)
  const cancelled = cancel ? await host.index.write('cancel', [scope[0]?.root]) : undefined
  const { build, isIdle } = await rebuild(host.index, {
    roots: scope.map(({ root }) => root),
    path: place === undefined ? undefined : join(place.rootPath, place.path),
    isFresh: fresh,
    isStarted: !cancel,
    waitMs: wait ? timeoutMs : 0,
    signal,
    onProgress: ({ done, total }) => progress({ progress: done, total, message: `${done} of ${total} files` }),
  })
  const about = await host.index.read('about', [scope], signal)
  const { files = 0, errors = 0 } = build ?? {}
  const data = { index: about, idle: isIdle, files, errors, ...(cancelled === undefined ? {} : { cancelled }) }
  const what =
    cancelled === undefined
      ? `${files} files were read, ${errors} could not be`
      : `${cancelled} items that waited are forgotten`
  const state = isIdle ? 'Nothing is left to do' : 'It goes on: lens_status tells how far it is'
  return { data, text: `${what}. ${state}. ${describeIndex(about)}` }
}
