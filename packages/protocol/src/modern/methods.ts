/** The methods of 2026-07-28 with their parameters and results, and what is gone since 2025-11-25. */
import type { JsonObject } from '../json-rpc.ts'
import type { CallToolResult, CompleteResult, GetPromptResult, ReadResourceResult } from '../mcp.ts'
import type {
  CallToolParams,
  CancelledParams,
  CompleteParams,
  GetPromptParams,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LogMessageParams,
  NotificationParams,
  PagedParams,
  ProgressParams,
  ReadResourceParams,
  ResourceUpdatedParams,
} from '../messages.ts'
import type { DiscoverParams, DiscoverResult } from './discover.ts'
import type { InputRequiredResult, InputRetryParams } from './input-required.ts'
import type { AcknowledgedParams, ListenParams, ListenResult } from './listen.ts'
import type { CacheableResult, ModernResult } from './results.ts'
import type { CancelTaskParams, CreateTaskResult, DetailedTask, GetTaskParams, UpdateTaskParams } from './tasks.ts'

export const MODERN_REQUESTS = [
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'subscriptions/listen',
] as const

/** Known only where both sides declare the extension `io.modelcontextprotocol/tasks`. */
export const MODERN_TASK_REQUESTS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const

/** Only `notifications/cancelled` also goes from client to server (over stdio). */
export const MODERN_NOTIFICATIONS = [
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/prompts/list_changed',
  'notifications/subscriptions/acknowledged',
] as const

/** No message of its own any more: asked for inside `input_required`. */
export const MODERN_ASKS = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const

/** Legacy methods that a modern peer answers with -32601. */
export const REMOVED_IN_MODERN = [
  'initialize',
  'notifications/initialized',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'notifications/roots/list_changed',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
  'tasks/list',
  'tasks/result',
] as const

export type ModernRequestMethod = (typeof MODERN_REQUESTS)[number] | (typeof MODERN_TASK_REQUESTS)[number]
export type ModernNotificationMethod = (typeof MODERN_NOTIFICATIONS)[number] | 'notifications/tasks'

/** Every request carries the envelope in `_meta`; `tools/call`, `prompts/get` and `resources/read` may be retried. */
export interface ModernRequests extends Record<ModernRequestMethod, { params: JsonObject; result: ModernResult }> {
  'server/discover': { params: DiscoverParams; result: DiscoverResult }
  'tools/list': { params: PagedParams; result: ListToolsResult & CacheableResult }
  'tools/call': {
    params: CallToolParams & InputRetryParams
    result: (CallToolResult & ModernResult) | InputRequiredResult | CreateTaskResult
  }
  'resources/list': { params: PagedParams; result: ListResourcesResult & CacheableResult }
  'resources/templates/list': { params: PagedParams; result: ListResourceTemplatesResult & CacheableResult }
  'resources/read': {
    params: ReadResourceParams & InputRetryParams
    result: (ReadResourceResult & CacheableResult) | InputRequiredResult
  }
  'prompts/list': { params: PagedParams; result: ListPromptsResult & CacheableResult }
  'prompts/get': {
    params: GetPromptParams & InputRetryParams
    result: (GetPromptResult & ModernResult) | InputRequiredResult
  }
  'completion/complete': { params: CompleteParams; result: CompleteResult & ModernResult }
  'subscriptions/listen': { params: ListenParams; result: ListenResult }
  'tasks/get': { params: GetTaskParams; result: DetailedTask }
  'tasks/update': { params: UpdateTaskParams; result: ModernResult }
  'tasks/cancel': { params: CancelTaskParams; result: ModernResult }
}

export interface ModernNotifications extends Record<ModernNotificationMethod, JsonObject> {
  'notifications/cancelled': CancelledParams
  'notifications/progress': ProgressParams
  'notifications/message': LogMessageParams
  'notifications/tools/list_changed': NotificationParams
  'notifications/resources/list_changed': NotificationParams
  'notifications/resources/updated': ResourceUpdatedParams
  'notifications/prompts/list_changed': NotificationParams
  'notifications/subscriptions/acknowledged': AcknowledgedParams
  'notifications/tasks': DetailedTask
}

export function isModernRequest(method: string): method is ModernRequestMethod {
  return (
    (MODERN_REQUESTS as readonly string[]).includes(method) ||
    (MODERN_TASK_REQUESTS as readonly string[]).includes(method)
  )
}
