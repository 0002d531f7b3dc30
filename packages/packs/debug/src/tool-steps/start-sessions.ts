/** From requests to the first stop. Of several, the first stop of any is the answer; the others run on. */
import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, deskOf } from '../debug-host.ts'
import type { RunTarget } from '../desk/debug-desk.ts'
import type { ManagedSession } from '../desk/managed-session.ts'
import type { StartRequest } from '../desk/start-request.ts'
import type { Attach, Launch, StartContext } from '../engine/debug-session.ts'
import type { Snapshot } from '../generated/types.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { answer, RESERVE_MS, waitAndAnswer } from './answer.ts'

export interface SessionStartOptions {
  readonly paths: WorkspacePaths
  /** In place of a session that was restarted. */
  readonly id?: string
  readonly until?: RunTarget | undefined
  readonly wait: boolean
  readonly timeoutMs: number
  /** By `performance.now()`: what was done before counts. Default: now. */
  readonly begun?: number
}

export async function startSessions(
  context: DebugContext,
  requests: readonly StartRequest[],
  { paths, id, until, wait, timeoutMs, begun = performance.now() }: SessionStartOptions,
): Promise<ToolOutcome<Snapshot>> {
  const desk = deskOf(context)
  const left = (): number =>
    Math.round(Math.max(100, Math.min(timeoutMs, context.budgetMs - RESERVE_MS) - (performance.now() - begun)))
  const started: ManagedSession[] = []
  for (const request of requests) {
    const log = (message: string, data?: unknown): void =>
      context.log.debug('debug.engine', message, data === undefined ? {} : { data: String(data) })
    const startContext = { workspace: paths.root, signal: context.signal, log, ...readEnvironment(context) }
    try {
      const how = (await request.before?.({ signal: context.signal, timeoutMs: left() })) ?? request.how
      learnSecrets(context, how)
      const session = await desk.start({ ...request, how }, startContext, {
        paths,
        ...(id === undefined ? {} : { id }),
        ...(until === undefined ? {} : { until }),
      })
      started.push(session)
      runAfter(session, request)
    } catch (error) {
      // All or none: half a compound is nothing that somebody asked for.
      await Promise.all(started.map((session) => desk.end(session)))
      throw toStartError(error)
    }
  }
  const [only] = started.length === 1 ? started : []
  if (!wait) return answer(context, { kind: 'running', session: started[0], waitedMs: 0 })
  return waitAndAnswer(context, only, { timeoutMs: left(), hints: true })
}

/** Programs run as the agent's own shell would run them, where the agent's window has told how. */
export function readEnvironment({ call }: DebugContext): Pick<StartContext, 'environment'> {
  const environment = call.caller.environment?.()
  return environment === undefined ? {} : { environment }
}

export function learnSecrets(context: DebugContext, how: Launch | Attach): void {
  const { environment } = readEnvironment(context)
  context.host.masking.learnEnvironment({ ...environment, ...(how.kind === 'launch' ? how.env : {}) })
}

function runAfter({ session }: ManagedSession, { after }: StartRequest): void {
  if (after === undefined) return
  if (session.isEnded) {
    after()
    return
  }
  session.onEvent(({ type }) => {
    if (type === 'terminated') after()
  })
}

/** One that ended before it could be used was never there. */
export function toStartError(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.code !== 'E_SESSION_TERMINATED') return error
  return new ToolError('E_LAUNCH_FAILED', error.message, { details: error.details, cause: error })
}
