export {
  type AskRequest,
  type AskRequests,
  type AskResponses,
  type Caller,
  type CallToolResult,
  type CompleteResult,
  type ContentBlock,
  type Disposable,
  type ErrorCode,
  type GetPromptResult,
  type LogEntry,
  type Progress,
  type ReadResourceResult,
  SwitchboardError,
} from '@switchboard/protocol'
export { createMemoryLogger, type Logger, type LogRecord, type MemoryLogger } from '@switchboard/telemetry'
export { type CatalogCache, createCatalogCache, type Learned } from './cache/catalog-cache.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export type { DaemonConfig } from './config/daemon-config.ts'
export { addServer, type EditOptions, removeServer, setServerEnabled } from './config/edit-config.ts'
export { expandHome } from './config/expand-home.ts'
export type { GatewayConfig, OauthConfig, ProfileConfig, RateConfig } from './config/gateway-config.ts'
export { createJsonSchema, SCHEMA_FILE_NAME } from './config/json-schema.ts'
export { type JsonReading, readJsonText, removeProperty } from './config/json-text.ts'
export { type LoadPoolConfigOptions, loadPoolConfig } from './config/load-pool-config.ts'
export type { ModeConfig } from './config/mode-config.ts'
export { WORKSPACE_VARIABLE } from './config/mode-fields.ts'
export type { DebugPackConfig, PacksConfig } from './config/pack-config.ts'
export {
  type CheckPoolConfigOptions,
  checkPoolConfig,
  type ReadPoolConfigOptions,
  readPoolConfig,
} from './config/pool-config.ts'
export type { DurationInput, McpPoolInput, ServerInput, ToolRulesInput } from './config/pool-input.ts'
export type {
  PoolConfig,
  QueueConfig,
  RemoteServerConfig,
  ServerConfig,
  StdioServerConfig,
  SwitchboardConfig,
  ToolRules,
} from './config/server-config.ts'
export type { PoolEvent, PoolListener } from './events.ts'
export { type CallOptions, CLIENT_INFO, McpPool, type McpPoolOptions } from './mcp-pool.ts'
export type { ExposedPrompt, ExposedResource, ExposedTemplate, ExposedTool } from './routes.ts'
export type { ServerState, ServerStatus } from './upstream/server-status.ts'
export type { UpstreamTimings } from './upstream/upstream-environment.ts'
