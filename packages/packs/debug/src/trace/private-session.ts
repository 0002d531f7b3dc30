/** A session that lives as long as one call. It is on nobody's desk, and ended whatever happens. */
import type { DebugContext } from '../debug-host.ts'
import { toStartError } from '../running/start-sessions.ts'
import type { DebugSession } from '../session/debug-session.ts'
import type { StartRequest } from '../sessions/start-request.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'

export async function withPrivateSession<Result>(
  { signal, log }: DebugContext,
  { request, paths }: { request: StartRequest; paths: WorkspacePaths },
  use: (session: DebugSession) => Promise<Result>,
): Promise<Result> {
  let session: DebugSession | undefined
  try {
    session = await request.engine.start(request.how, {
      workspace: paths.root,
      signal,
      log: (message, data) => log.debug('debug.engine', message, data === undefined ? {} : { data: String(data) }),
    })
    return await use(session)
  } catch (error) {
    throw toStartError(error)
  } finally {
    await session?.stop({ kill: true })
  }
}
