export type { EngineEnvironment } from './dap/engine-environment.ts'
export { createDapEngines } from './dap/engines.ts'
export { createNodeEngine } from './inspector/node-engine.ts'
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
