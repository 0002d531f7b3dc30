/** A session that lives as long as one call. It is on nobody's desk, and ended whatever happens. */
import type { DebugContext } from '../debug-host.ts'
import type { StartRequest } from '../desk/start-request.ts'
import type { DebugSession } from '../engine/debug-session.ts'
import { learnSecrets, readEnvironment, toStartError } from '../tool-steps/start-sessions.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'

export async function withPrivateSession<Result>(
  context: DebugContext,
  { request, paths }: { request: StartRequest; paths: WorkspacePaths },
  use: (session: DebugSession) => Promise<Result>,
): Promise<Result> {
  let session: DebugSession | undefined
  const { signal, log } = context
  learnSecrets(context, request.how)
  try {
    session = await request.engine.start(request.how, {
      workspace: paths.root,
      signal,
      ...readEnvironment(context),
      log: (message, data) => log.debug('debug.engine', message, data === undefined ? {} : { data: String(data) }),
    })
    return await use(session)
  } catch (error) {
    throw toStartError(error)
  } finally {
    await session?.stop({ kill: true })
  }
}
