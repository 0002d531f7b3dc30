/** The methods of the revisions up to 2025-11-25, who sends them, since when, and their parameters and results. */
import type { JsonObject } from '../json-rpc.ts'
import type { CallToolResult, CompleteResult, GetPromptResult, LoggingLevel, ReadResourceResult } from '../mcp.ts'
import type {
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
  ProgressParams,
  ReadResourceParams,
  RequestParams,
  ResourceUpdatedParams,
} from '../messages.ts'
import { LEGACY_VERSIONS, type LegacyVersion } from '../versions.ts'
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitationCompleteParams,
  ElicitParams,
  ElicitResult,
  ListRootsResult,
} from './asks.ts'
import type { InitializeParams, InitializeResult } from './handshake.ts'
import type {
  CreateLegacyTaskResult,
  LegacyTask,
  LegacyTaskParams,
  LegacyTaskStatusParams,
  ListLegacyTasksResult,
  TaskAugmentedParams,
} from './tasks.ts'

/** Client to server. `ping` goes both ways, as do the tasks methods. */
export const LEGACY_CLIENT_REQUESTS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
] as const

/** Server to client. */
export const LEGACY_SERVER_REQUESTS = [
  'ping',
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
] as const

export const LEGACY_CLIENT_NOTIFICATIONS = [
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
] as const

export const LEGACY_SERVER_NOTIFICATIONS = [
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/prompts/list_changed',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
] as const

export type LegacyRequestMethod = (typeof LEGACY_CLIENT_REQUESTS)[number] | (typeof LEGACY_SERVER_REQUESTS)[number]
export type LegacyNotificationMethod =
  | (typeof LEGACY_CLIENT_NOTIFICATIONS)[number]
  | (typeof LEGACY_SERVER_NOTIFICATIONS)[number]

/** The revision that brought a method; all others are as old as 2024-11-05. */
const SINCE = new Map<string, LegacyVersion>([
  ['elicitation/create', '2025-06-18'],
  ['notifications/elicitation/complete', '2025-11-25'],
  ['notifications/tasks/status', '2025-11-25'],
  ['tasks/get', '2025-11-25'],
  ['tasks/result', '2025-11-25'],
  ['tasks/list', '2025-11-25'],
  ['tasks/cancel', '2025-11-25'],
])

const METHODS: ReadonlySet<string> = new Set<string>([
  ...LEGACY_CLIENT_REQUESTS,
  ...LEGACY_SERVER_REQUESTS,
  ...LEGACY_CLIENT_NOTIFICATIONS,
  ...LEGACY_SERVER_NOTIFICATIONS,
])

/** Whether a peer of that revision knows the method. */
export function isLegacyMethod(method: string, version: LegacyVersion): boolean {
  if (!METHODS.has(method)) return false
  const since = SINCE.get(method)
  // The versions are listed from the newest to the oldest.
  return since === undefined || LEGACY_VERSIONS.indexOf(version) <= LEGACY_VERSIONS.indexOf(since)
}

export interface LegacyRequests extends Record<LegacyRequestMethod, { params: JsonObject; result: JsonObject }> {
  initialize: { params: InitializeParams; result: InitializeResult }
  ping: { params: RequestParams; result: EmptyResult }
  'tools/list': { params: PagedParams; result: ListToolsResult }
  /** A task instead of a result only when the request holds `task`. */
  'tools/call': { params: CallToolParams & TaskAugmentedParams; result: CallToolResult | CreateLegacyTaskResult }
  'resources/list': { params: PagedParams; result: ListResourcesResult }
  'resources/templates/list': { params: PagedParams; result: ListResourceTemplatesResult }
  'resources/read': { params: ReadResourceParams; result: ReadResourceResult }
  'resources/subscribe': { params: ReadResourceParams; result: EmptyResult }
  'resources/unsubscribe': { params: ReadResourceParams; result: EmptyResult }
  'prompts/list': { params: PagedParams; result: ListPromptsResult }
  'prompts/get': { params: GetPromptParams; result: GetPromptResult }
  'completion/complete': { params: CompleteParams; result: CompleteResult }
  'logging/setLevel': { params: RequestParams & { level: LoggingLevel }; result: EmptyResult }
  'sampling/createMessage': {
    params: CreateMessageParams & TaskAugmentedParams
    result: CreateMessageResult | CreateLegacyTaskResult
  }
  'elicitation/create': { params: ElicitParams & TaskAugmentedParams; result: ElicitResult | CreateLegacyTaskResult }
  'roots/list': { params: RequestParams; result: ListRootsResult }
  'tasks/get': { params: LegacyTaskParams; result: LegacyTask & EmptyResult }
  /** The result of the request that became the task. */
  'tasks/result': { params: LegacyTaskParams; result: JsonObject }
  'tasks/list': { params: PagedParams; result: ListLegacyTasksResult }
  'tasks/cancel': { params: LegacyTaskParams; result: LegacyTask & EmptyResult }
}

export interface LegacyNotifications extends Record<LegacyNotificationMethod, JsonObject> {
  'notifications/initialized': NotificationParams
  'notifications/cancelled': CancelledParams
  'notifications/progress': ProgressParams
  'notifications/message': LogMessageParams
  'notifications/tools/list_changed': NotificationParams
  'notifications/resources/list_changed': NotificationParams
  'notifications/resources/updated': ResourceUpdatedParams
  'notifications/prompts/list_changed': NotificationParams
  'notifications/roots/list_changed': NotificationParams
  'notifications/elicitation/complete': ElicitationCompleteParams
  'notifications/tasks/status': LegacyTaskStatusParams
}
