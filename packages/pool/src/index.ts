export { type Clock, type Disposable, systemClock, type Timer } from '@switchboard/base'
export type { AskRequest, AskRequests, AskResponses, Caller, LogEntry, Progress } from '@switchboard/protocol'
export { type ErrorCode, SwitchboardError } from '@switchboard/protocol/errors'
export type {
  CallToolResult,
  CompleteResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '@switchboard/protocol/mcp'
export { createMemoryLogger, type Logger, type LogRecord, type MemoryLogger } from '@switchboard/telemetry'
export { identifyServer } from './cache/catalog-cache.ts'
export { checkPoolConfig, loadPoolConfig, type McpPoolInput } from './config/pool-config.ts'
export type { MisconfiguredServer, PoolConfig, QueueConfig } from './config/pool-section.ts'
export type { RemoteServerConfig, ServerConfig, StdioServerConfig, ToolRules } from './config/server-config.ts'
export type { ServerInput, ToolRulesInput } from './config/server-fields.ts'
export type { PoolEvent, PoolListener } from './events.ts'
export { type CallOptions, McpPool, type McpPoolOptions } from './mcp-pool.ts'
export type { LoginAttempt } from './oauth/login-attempt.ts'
export type { BeginLogin, LoginKeeper, LoginVisit } from './oauth/login-keeper.ts'
export { isLoginOf, type LoginRecord } from './oauth/login-record.ts'
export type { RedirectPlace, ServerLogin } from './oauth/server-login.ts'
export type { LoginOutcome } from './oauth/upstream-login.ts'
export type { ExposedPrompt, ExposedResource, ExposedTemplate, ExposedTool, HeldTool } from './routes.ts'
export { type JudgeCatalog, withoutHeld } from './upstream/held-definitions.ts'
export type { ServerState, ServerStatus } from './upstream/server-status.ts'
