import type { Attach, DebugEngine, ExceptionMode, Launch } from '../engine/debug-session.ts'
import type { RunTaskOptions } from '../launch/task-runner.ts'

/** All that a session is started from, and started again from. */
export interface StartRequest {
  readonly name: string
  readonly engine: DebugEngine
  readonly how: Launch | Attach
  /** Undefined: what the engine can do of `uncaught`. */
  readonly exceptions: ExceptionMode | undefined
  /** Runs the preLaunchTask, and says how to start what it has made. Throws E_PRELAUNCH_TASK. */
  readonly before?: (options: RunTaskOptions) => Promise<Launch | Attach>
  /** Starts the postDebugTask, once the session has ended. */
  readonly after?: () => void
  /** Of a compound whose sessions end together; the same for all of them. */
  readonly group?: object
}
