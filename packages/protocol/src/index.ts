export {
  ERROR_CATALOGUE,
  ERROR_CODES,
  type ErrorCategory,
  type ErrorCode,
  type ErrorEntry,
  type ErrorFamily,
  type Executed,
  HTTP_STATUS,
} from './errors/catalogue.ts'
export { createErrorsDocument } from './errors/document.ts'
export {
  createErrorEnvelope,
  ERROR_META_KEY,
  type ErrorEnvelope,
  type ErrorMeta,
  formatErrorText,
  fromJsonRpcError,
  fromToolErrorResult,
  isErrorCode,
  readErrorEnvelope,
  readUpstreamRpcError,
  toJsonRpcError,
  toToolErrorResult,
  type UpstreamRpcError,
} from './errors/envelope.ts'
export {
  type ErrorReport,
  SwitchboardError,
  type SwitchboardErrorOptions,
  toSwitchboardError,
} from './errors/switchboard-error.ts'
export { toJsonSafe } from './errors/to-json-safe.ts'
export { estimateTokens } from './estimate-tokens.ts'
export { FairQueue, type PlaceInLine } from './fair-queue.ts'
export { LineReader, type LineReaderHandlers, type OversizedLine } from './framing/line-reader.ts'
export { LineWriter } from './framing/line-writer.ts'
export { parseJson, withPlainNumbers } from './framing/parse-json.ts'
export { recoverId } from './framing/recover-id.ts'
export { createInstanceId, createTraceId, createTraceparent, isInstanceId, readTraceId } from './ids.ts'
export {
  daemonEndpoint,
  type EndpointOptions,
  type HomePaths,
  homePaths,
  type LocalUser,
  localEndpointOptions,
} from './ipc/home-paths.ts'
export {
  type AttachParams,
  type AttachResult,
  type AttachRole,
  type DaemonInfo,
  IPC_METHODS,
  IPC_TCP_PORT,
  IPC_VERSION,
  type IpcMethod,
  REPLACED_METHOD,
  STOPPING_METHOD,
} from './ipc/ipc.ts'
export {
  classifyMessage,
  createFailure,
  createNotification,
  createRequest,
  createSuccess,
  isJsonObject,
  JSON_RPC_ERROR,
  type Json,
  type JsonObject,
  type JsonRpcErrorObject,
  type JsonRpcFailure,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type JsonRpcSuccess,
  type MessageKind,
  type ProgressToken,
  type RequestId,
} from './json-rpc.ts'
export {
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitationCompleteParams,
  type ElicitFormParams,
  type ElicitParams,
  type ElicitResult,
  type ElicitUrlParams,
  type ListRootsResult,
  limitCapabilities,
  type Root,
  type SamplingMessage,
  URL_ELICITATION_REQUIRED,
} from './legacy/asks.ts'
export { findBatchError, hasBatches, isBatch, splitBatch } from './legacy/batch.ts'
export {
  createInitializeParams,
  type InitializeParams,
  type InitializeParamsReading,
  type InitializeReading,
  type InitializeResult,
  readInitializeParams,
  readInitializeResult,
} from './legacy/handshake.ts'
export {
  isLegacyMethod,
  LEGACY_CLIENT_NOTIFICATIONS,
  LEGACY_CLIENT_REQUESTS,
  LEGACY_SERVER_NOTIFICATIONS,
  LEGACY_SERVER_REQUESTS,
  type LegacyNotificationMethod,
  type LegacyNotifications,
  type LegacyRequestMethod,
  type LegacyRequests,
} from './legacy/methods.ts'
export type {
  CreateLegacyTaskResult,
  LegacyTask,
  LegacyTaskParams,
  LegacyTaskStatusParams,
  ListLegacyTasksResult,
  TaskAugmentedParams,
} from './legacy/tasks.ts'
export {
  type BinaryContent,
  type CallToolResult,
  type ClientCapabilities,
  type CompleteResult,
  type ContentBlock,
  type EmbeddedResource,
  type GetPromptResult,
  type Implementation,
  LOGGING_LEVELS,
  type LoggingLevel,
  type Prompt,
  type PromptArgument,
  type PromptMessage,
  type ReadResourceResult,
  type Resource,
  type ResourceContents,
  type ResourceLink,
  type ResourceTemplate,
  type ServerCapabilities,
  type TextContent,
  type Tool,
  type ToolAnnotations,
} from './mcp.ts'
export type {
  CallToolParams,
  CancelledParams,
  CompleteParams,
  EmptyResult,
  GetPromptParams,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LogMessageParams,
  NotificationParams,
  PagedParams,
  PagedResult,
  ProgressParams,
  ReadResourceParams,
  RequestParams,
  ResourceUpdatedParams,
} from './messages.ts'
export {
  createDiscoverParams,
  DISCOVER_METHOD,
  type DiscoverParams,
  type DiscoverResult,
  isDiscoverResult,
  readServerInfo,
} from './modern/discover.ts'
export {
  createEnvelope,
  type Envelope,
  type EnvelopeMeta,
  type EnvelopeReading,
  isImplementation,
  isLoggingLevel,
  readEnvelope,
  withEnvelope,
} from './modern/envelope.ts'
export {
  createMissingCapabilityError,
  createUnsupportedVersionError,
  isModernError,
  type MissingCapabilityData,
  MODERN_ERROR,
  type ModernErrorCode,
  readSupportedVersions,
  type UnsupportedVersionData,
} from './modern/errors.ts'
export { decodeHeaderValue, encodeHeaderValue } from './modern/header-value.ts'
export {
  createModernHeaders,
  HEADER,
  type HeaderMismatch,
  type IncomingHeaders,
  type ModernHeaderOptions,
  validateModernHeaders,
} from './modern/headers.ts'
export {
  createInputRetryParams,
  INPUT_REQUIRED_METHODS,
  type InputRequiredResult,
  type InputRetryParams,
  isInputRequired,
} from './modern/input-required.ts'
export {
  ACKNOWLEDGED_METHOD,
  type AcknowledgedParams,
  createAcknowledgedParams,
  createListenParams,
  isAcknowledged,
  LISTEN_METHOD,
  type ListenFilter,
  type ListenParams,
  type ListenResult,
  readListenFilter,
  readSubscriptionId,
  withSubscriptionId,
} from './modern/listen.ts'
export { META_KEY, type MetaKey } from './modern/meta-keys.ts'
export {
  isModernRequest,
  MODERN_ASKS,
  MODERN_NOTIFICATIONS,
  MODERN_REQUESTS,
  MODERN_TASK_REQUESTS,
  type ModernNotificationMethod,
  type ModernNotifications,
  type ModernRequestMethod,
  type ModernRequests,
  REMOVED_IN_MODERN,
} from './modern/methods.ts'
export { type ParamHeader, type ParamHeaders, readParamHeaders } from './modern/param-headers.ts'
export type { CacheableResult, CacheScope, ModernResult, ResultType } from './modern/results.ts'
export {
  type CancelTaskParams,
  type CreateTaskResult,
  type DetailedTask,
  type GetTaskParams,
  TASKS_EXTENSION,
  type Task,
  type TaskStatus,
  type UpdateTaskParams,
} from './modern/tasks.ts'
export { boundedDistance } from './naming/edit-distance.ts'
export {
  createRouteMap,
  type ExposedRoute,
  MAX_EXPOSED_NAME,
  type NamedProvider,
  type Route,
  type RouteMap,
  sanitizeName,
} from './naming/exposed-names.ts'
export { nearestName, nearestNames } from './naming/nearest-name.ts'
export { OWN_PROVIDER, OWN_TOOLS, type OwnTool, PACK_PROVIDER_PREFIX } from './naming/own-tools.ts'
export {
  createResourceRoutes,
  type ResourceProvider,
  type ResourceRoute,
  type ResourceRoutes,
} from './naming/resource-routes.ts'
export { createShortHash } from './naming/short-hash.ts'
export {
  createToolFilter,
  GLOB_PATTERN,
  isGlob,
  MAX_GLOB_LENGTH,
  type ToolFilterRules,
} from './naming/tool-filter.ts'
export {
  type AskOptions,
  type AskRequest,
  type AskRequests,
  type AskResponses,
  type CacheHint,
  type Call,
  type Caller,
  type Catalog,
  type CatalogPart,
  type Disposable,
  EMPTY_CATALOG,
  type LogEntry,
  type Progress,
  type Provider,
  type ProviderNaming,
  type ProviderStatus,
} from './provider.ts'
export {
  type Era,
  isLegacyVersion,
  isModernVersion,
  LATEST_LEGACY_VERSION,
  LATEST_MODERN_VERSION,
  LEGACY_VERSIONS,
  type LegacyVersion,
  MODERN_VERSIONS,
  type ModernVersion,
  type ProtocolVersion,
} from './versions.ts'
