import type { OrphanGuard } from '@switchboard/process'
import { DebugError } from '../session/debug-error.ts'
import type { Attach, DebugEngine, DebugSession, Launch, StartContext } from '../session/debug-session.ts'
import { type OpenedAdapter, SessionLife } from './session-life.ts'

export interface EngineEnvironment {
  /** Ends adapters and programs when we are killed. */
  readonly guard: OrphanGuard
  /** A private folder for what is made once and used often. Default: made anew for each session, or done without. */
  readonly cacheFolder?: string
}

/** An engine without the common part: how its adapter is found and opened. */
export interface AdapterSpec extends Omit<DebugEngine, 'start'> {
  /** Processes that the program starts are debugged as well. */
  readonly followsChildren?: boolean
  open(request: Launch | Attach, context: StartContext): Promise<OpenedAdapter>
}

export function createAdapterEngine(spec: AdapterSpec): DebugEngine {
  return {
    ...spec,
    async start(request, context): Promise<DebugSession> {
      if (context.signal.aborted) throw new DebugError('E_CANCELLED', 'Starting the debug session was cancelled.')
      throwOnChildren(spec, request)
      if (request.kind === 'attach' && request.pid !== undefined) throwOnGone(request.pid)
      const opened = await spec.open(request, context)
      return new SessionLife(opened, context, request.kind === 'launch' && request.stopOnEntry).start()
    },
  }
}

/** Who asks for it by name shall not wait in vain for a stop. */
function throwOnChildren({ name, followsChildren }: AdapterSpec, { options }: Launch | Attach): void {
  const key = ['subProcess', 'autoAttachChildProcesses'].find((one) => options[one] === true)
  if (key === undefined || followsChildren === true) return
  throw new DebugError(
    'E_UNSUPPORTED_CAPABILITY',
    `${name} does not follow the processes that a program starts ("${key}"). Attach to such a process by its pid.`,
    { details: { key } },
  )
}

/** Debuggers find it out late, and tell it at length. */
function throwOnGone(pid: number): void {
  try {
    process.kill(pid, 0)
  } catch (error) {
    const isForeign = error instanceof Error && 'code' in error && error.code === 'EPERM'
    const what = isForeign
      ? `The process ${pid} belongs to somebody else`
      : `There is no process ${pid} on this machine`
    throw new DebugError('E_LAUNCH_FAILED', `${what}, so it cannot be attached to.`, { details: { pid }, cause: error })
  }
}

export function adapterMissing(what: string, install: string): DebugError {
  return new DebugError('E_ADAPTER_MISSING', `${what} is not on this machine. Install it with: ${install}`, {
    details: { install },
  })
}
