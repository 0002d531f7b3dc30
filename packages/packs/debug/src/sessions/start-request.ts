import type { Attach, DebugEngine, ExceptionMode, Launch } from '../session/debug-session.ts'

/** All that a session is started from, and started again from. */
export interface StartRequest {
  readonly name: string
  readonly engine: DebugEngine
  readonly how: Launch | Attach
  /** Undefined: what the engine can do of `uncaught`. */
  readonly exceptions: ExceptionMode | undefined
}
