import { errorCode } from '@switchboard/base'
import type { OrphanGuard } from '@switchboard/process'
import { ToolError } from '@switchboard/toolkit'
import type { Attach, DebugEngine, DebugSession, Launch, StartContext } from '../engine/debug-session.ts'
import { capitalize } from './adapter-process.ts'
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
      if (context.signal.aborted) throw new ToolError('E_CANCELLED', 'Starting the debug session was cancelled.')
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
  throw new ToolError(
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
    const isForeign = errorCode(error) === 'EPERM'
    const what = isForeign
      ? `The process ${pid} belongs to somebody else`
      : `There is no process ${pid} on this machine`
    throw new ToolError('E_LAUNCH_FAILED', `${what}, so it cannot be attached to.`, { details: { pid }, cause: error })
  }
}

/** Where what the debugger reads is not ours to give. */
export function throwOnInput(request: Launch | Attach, what: string): void {
  if (request.kind === 'attach' || request.stdin === undefined) return
  throw new ToolError(
    'E_UNSUPPORTED_CAPABILITY',
    `${capitalize(what)} gives a program no standard input. Let the program read from a file, by its arguments.`,
  )
}

export function adapterMissing(what: string, install: string): ToolError {
  return new ToolError('E_ADAPTER_MISSING', `${what} is not on this machine. Install it with: ${install}`, {
    details: { install },
  })
}
