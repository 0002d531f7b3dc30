export { CORE_DEBUG_TOOLS, DEBUG_PROVIDER } from './core-tools.ts'
export { createDebugPack, type DebugPack, type DebugPackOptions } from './create-debug-pack.ts'
export { DebugError } from './session/debug-error.ts'
export type {
  Attach,
  BreakpointRequest,
  BreakpointState,
  DebugEngine,
  DebugSession,
  ExceptionInfo,
  ExceptionMode,
  Frame,
  Launch,
  OutputCategory,
  Place,
  RequestOptions,
  Scope,
  ScopeKind,
  SessionCapabilities,
  SessionEvent,
  StartContext,
  Thread,
  Variable,
} from './session/debug-session.ts'
export { type HitCondition, type HitOperator, parseHitCondition } from './session/hit-condition.ts'
